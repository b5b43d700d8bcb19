import { backOffMs } from "../clock.ts";
import type { AnswerMiss, Http, RetryClass } from "./types.ts";

/**
 * How one attempt ended without a final answer. `unsent`: no byte of it was sent. `cut`: it was sent, and no complete answer
 * came.
 */
export type AttemptMiss = "unsent" | "cut" | AnswerMiss;

export interface RetryPolicy {
  /** Kinds of misses after which it is repeated. */
  readonly repeats: readonly AttemptMiss[];
  /** Attempts in all. Throttled attempts of `paid` do not count; only the deadline limits them. */
  readonly tries: number;
  /** For the whole call, waits included. */
  readonly deadlineMs: number;
  /** Longest silence of the service before an attempt counts as cut. */
  readonly silenceMs: number;
  /** Longest first wait; doubled for each further one. */
  readonly baseMs: number;
  /** Longest single wait, unless the service asks for more. */
  readonly longestMs: number;
}

const allMisses = ["unsent", "throttled", "failed", "cut"] as const;
const anyMiss = [...allMisses, "doubtful"] as const;
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
  read: policy(anyMiss, {
    tries: 11,
    deadlineMs: 30 * second,
    silenceMs: 12 * second,
    baseMs: 100,
    longestMs: 750,
  }),
  set: policy(allMisses, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  delete: policy(allMisses, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  keyed: policy(allMisses, { tries: 10, deadlineMs: 2.5 * second, baseMs: 100 }),
  // A silent service is given up while there is still time to look for what it may have created.
  create: policy(certainlyNotDone, { tries: 4, deadlineMs: minute, silenceMs: 30 * second }),
  paid: policy(["unsent", "throttled", "failed"], {
    tries: 3,
    deadlineMs: 14 * minute,
    baseMs: 2_000,
  }),
  upload: policy(certainlyNotDone, { tries: 10, deadlineMs: 30 * minute }),
  token: policy(["unsent", "throttled", "failed"], { tries: 5, deadlineMs: 2 * minute }),
} as const satisfies Record<RetryClass, RetryPolicy>;

/** A read that is throttled is repeated less often, after longer waits, than after other misses. */
const throttledRead = { tries: 4, baseMs: 500, longestMs: 10 * second } as const;
/** One more try: the input may be what is wrong. */
const doubtfulRead = { tries: 2, baseMs: 500 } as const;

/** After a 429 without Retry-After a paid call waits this long each time: docs/services/removebg.md#repeating */
const paidThrottleMs = minute;

interface MissedAttempt {
  readonly miss: AttemptMiss;
  /** Attempts so far that count, this one included. */
  readonly tries: number;
  /** The caller's own limit, where it is lower than the class's. */
  readonly maxTries?: number | undefined;
  /** What the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Milliseconds to wait before the next attempt, or `undefined` when there must be none. */
export function retryWait(
  retry: RetryClass,
  { miss, tries, maxTries, retryAfterMs }: MissedAttempt,
  random: () => number,
): number | undefined {
  const { repeats, tries: limit } = policyFor(retry, miss);
  if (!repeats.includes(miss)) return undefined;
  if (!countsAsTry(retry, miss)) {
    // With `Retry-After: 0` the next request would follow at once, so we wait at least a second.
    return Math.max(retryAfterMs ?? paidThrottleMs, second);
  }
  if (tries >= Math.min(maxTries ?? limit, limit)) return undefined;
  return waitAfter(retry, { miss, tries, retryAfterMs }, random);
}

export interface BackOffDeps {
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Waits for callers that repeat calls themselves, because only they know what must happen in between. */
export function createBackOff({ random, sleep }: BackOffDeps): Http["backOff"] {
  return async (retry, misses, { retryAfterMs, withinMs, signal } = {}) => {
    signal?.throwIfAborted();
    const { tries, deadlineMs }: RetryPolicy = retryPolicies[retry];
    if (misses >= tries) return false;
    const waitMs = waitAfter(retry, { miss: "failed", tries: misses, retryAfterMs }, random);
    if (waitMs >= (withinMs ?? deadlineMs)) return false;
    await sleep(waitMs, signal);
    return true;
  };
}

/** Milliseconds between a miss and the next try. */
function waitAfter(
  retry: RetryClass,
  { miss, tries, retryAfterMs }: Pick<MissedAttempt, "miss" | "tries" | "retryAfterMs">,
  random: () => number,
): number {
  const { baseMs: firstMs, longestMs } = policyFor(retry, miss);
  // A paid call has few tries: half jitter makes each wait longer than the one before.
  const jitter = retry === "paid" ? 0.5 : 1;
  return Math.max(backOffMs(tries, { firstMs, longestMs, jitter, random }), retryAfterMs ?? 0);
}

/** Whether such a miss counts against the tries of the class. */
export function countsAsTry(retry: RetryClass, miss: AttemptMiss): boolean {
  return retry !== "paid" || miss !== "throttled";
}

function policyFor(retry: RetryClass, miss: AttemptMiss): RetryPolicy {
  const policy = retryPolicies[retry];
  if (retry !== "read") return policy;
  if (miss === "throttled") return { ...policy, ...throttledRead };
  return miss === "doubtful" ? { ...policy, ...doubtfulRead } : policy;
}

function policy(
  repeats: readonly AttemptMiss[],
  limits: Partial<RetryPolicy> & Pick<RetryPolicy, "tries" | "deadlineMs">,
): RetryPolicy {
  return { repeats, silenceMs: 5 * minute, baseMs: 500, longestMs: 10 * second, ...limits };
}

/** The wait that a Retry-After header asks for, as seconds or as a date; `undefined` when it is absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000);
  // `Date.parse` would read "-5" as a day in 2001.
  const at = /\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
