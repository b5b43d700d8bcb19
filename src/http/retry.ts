import { backOffMs } from "../clock.ts";
import type { Http, HttpTools, RetryClass, RetryReason } from "./types.ts";

interface RetryLimits {
  /** Attempts in all. */
  readonly tries: number;
  /** Longest first wait; doubled for each further one. */
  readonly baseMs: number;
  /** Longest single wait, unless the service asks for more. */
  readonly longestMs: number;
  /** How much of a wait is left to chance, from 0 to 1. */
  readonly jitter: number;
}

interface RetryPolicy extends RetryLimits {
  readonly repeatsAfter: readonly RetryReason[];
  /** For the whole call, waits included. */
  readonly deadlineMs: number;
  /** Longest silence of the service before an attempt counts as cut. */
  readonly silenceMs: number;
  /** Other limits after some reasons. */
  readonly after?: Partial<Record<RetryReason, Partial<RetryLimits>>>;
}

const anyFailure = ["unsent", "throttled", "failed", "cut"] as const;
const certainlyNotDone = ["unsent", "throttled"] as const;
const second = 1_000;
const minute = 60 * second;

/**
 * What each class may repeat. Classes that need the caller's knowledge before a repeat (looking for a created thing,
 * asking for the stored range of an upload) repeat here only what was certainly not done; the caller does the rest.
 */
export const retryPolicies = {
  // Repeating a read costs a unit at most, unless its caller says otherwise. If three of ten tries are lost, four tries
  // leave one read in a hundred without an answer, eleven leave one in 500,000. The waits stay short, because somebody
  // is waiting.
  read: policy([...anyFailure, "doubtful"], {
    tries: 11,
    deadlineMs: 30 * second,
    silenceMs: 12 * second,
    baseMs: 100,
    longestMs: 750,
    after: {
      // Less often, after longer waits.
      throttled: { tries: 4, baseMs: 500, longestMs: 10 * second },
      // The input may be what is wrong.
      doubtful: { tries: 2, baseMs: 500 },
    },
  }),
  set: policy(anyFailure, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  delete: policy(anyFailure, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  keyed: policy(anyFailure, { tries: 10, deadlineMs: 2.5 * second, baseMs: 100 }),
  // A silent service is given up while there is still time to look for what it may have created.
  create: policy(certainlyNotDone, { tries: 4, deadlineMs: minute, silenceMs: 30 * second }),
  // With so few tries, half jitter makes each wait longer than the one before. A 429 does not count; only the deadline
  // limits them. Discord accepts no answer after 15 minutes.
  paid: policy(["unsent", "throttled", "failed"], {
    tries: 3,
    deadlineMs: 14 * minute,
    baseMs: 2 * second,
    jitter: 0.5,
    after: { throttled: { tries: Number.POSITIVE_INFINITY } },
  }),
  upload: policy(certainlyNotDone, { tries: 10, deadlineMs: 30 * minute }),
  token: policy(["unsent", "throttled", "failed"], { tries: 5, deadlineMs: 2 * minute }),
} as const satisfies Record<RetryClass, RetryPolicy>;

function policy(
  repeatsAfter: readonly RetryReason[],
  limits: Partial<RetryPolicy> & Pick<RetryPolicy, "tries" | "deadlineMs">,
): RetryPolicy {
  const defaults = { silenceMs: 5 * minute, baseMs: 500, longestMs: 10 * second, jitter: 1 };
  return { repeatsAfter, ...defaults, ...limits };
}

function limitsAfter(retry: RetryClass, reason: RetryReason): RetryLimits {
  const { after, ...limits }: RetryPolicy = retryPolicies[retry];
  return { ...limits, ...after?.[reason] };
}

/** Whether an attempt that ended so counts against the limit of the class. */
export function countsAsTry(retry: RetryClass, reason: RetryReason): boolean {
  return Number.isFinite(limitsAfter(retry, reason).tries);
}

interface FailedAttempt {
  readonly reason: RetryReason;
  /** Attempts in a row that count, this one included. */
  readonly failures: number;
  /** The caller's own limit, where it is lower than the class's. */
  readonly tries?: number | undefined;
  /** What the service asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Milliseconds to wait before the next attempt, or `undefined` when there must be none. */
export function retryWait(
  retry: RetryClass,
  { reason, failures, tries = Number.POSITIVE_INFINITY, retryAfterMs }: FailedAttempt,
  random: () => number,
): number | undefined {
  if (!retryPolicies[retry].repeatsAfter.includes(reason)) return undefined;
  if (!countsAsTry(retry, reason)) return throttleWaitMs(retryAfterMs);
  const limits = limitsAfter(retry, reason);
  const most = Math.min(tries, limits.tries);
  return backOffWait({ ...limits, tries: most }, { failures, retryAfterMs }, random);
}

function backOffWait(
  { tries, baseMs: firstMs, longestMs, jitter }: RetryLimits,
  { failures, retryAfterMs = 0 }: Pick<FailedAttempt, "failures" | "retryAfterMs">,
  random: () => number,
): number | undefined {
  if (failures >= tries) return undefined;
  return Math.max(backOffMs(failures, { firstMs, longestMs, jitter, random }), retryAfterMs);
}

/**
 * How long a paid call waits after a 429: as long as it says, or a minute, because remove.bg counts by the minute. Never
 * less than a second: with `Retry-After: 0` the next request would follow at once.
 */
export function throttleWaitMs(retryAfterMs = minute): number {
  return Math.max(retryAfterMs, second);
}

/** Waits for callers that repeat calls themselves, because only they know what must happen in between. */
export function createBackOff({
  random,
  sleep,
}: Pick<HttpTools, "random" | "sleep">): Http["backOff"] {
  return async (retry, failures, { retryAfterMs, withinMs, signal } = {}) => {
    signal?.throwIfAborted();
    const policy: RetryPolicy = retryPolicies[retry];
    const waitMs = backOffWait(policy, { failures, retryAfterMs }, random);
    if (waitMs === undefined || waitMs >= (withinMs ?? policy.deadlineMs)) return false;
    await sleep(waitMs, signal);
    return true;
  };
}

/** The wait that a Retry-After header asks for, as seconds or as a date; `undefined` when it is absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  // `Date.parse` would read "-5" as a day in 2001.
  const at = /\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
