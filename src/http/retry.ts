import { backOffMs } from "../clock.ts";
import type { RequestServices } from "./repeat.ts";
import type { Http, RetryClass } from "./types.ts";

/**
 * How one attempt ended without a final answer. `unsent`: no byte of it left. `throttled`: answered "too fast", not
 * done. `failed`: a 5xx. `cut`: it left and no whole answer came.
 */
export type Miss = "unsent" | "throttled" | "failed" | "cut";

export interface RetryPolicy {
  /** What may follow each kind of miss. */
  readonly repeats: readonly Miss[];
  /** Attempts in all; throttled ones of `paid` do not count, the deadline bounds them. */
  readonly tries: number;
  /** Whole call, waits included. */
  readonly deadlineMs: number;
  /** Longest silence of the service before an attempt counts as cut. */
  readonly silenceMs: number;
  /** Ceiling of the first wait; each further one doubles it. */
  readonly baseMs: number;
  /** No single wait grows past this, unless the service asks for more. */
  readonly longestMs: number;
}

const repeatable = ["unsent", "throttled", "failed", "cut"] as const;
const undone = ["unsent", "throttled"] as const;
const second = 1_000;
const minute = 60 * second;

/**
 * What each class may repeat. Steps that need the caller's knowledge (looking for a created thing, asking for the
 * stored range of an upload) are the caller's: here those classes repeat only what was not done for certain.
 */
export const policies = {
  // Nothing but time is lost by asking again: with three of ten tries lost, four would leave one read in a hundred
  // without an answer, eleven leave one in 500,000. The waits stay short, because somebody is waiting too.
  read: policy(repeatable, {
    tries: 11,
    deadlineMs: 30 * second,
    silenceMs: 12 * second,
    baseMs: 100,
    longestMs: 750,
  }),
  set: policy(repeatable, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  delete: policy(repeatable, { tries: 4, deadlineMs: 30 * second, silenceMs: 12 * second }),
  keyed: policy(repeatable, { tries: 10, deadlineMs: 2.5 * second, baseMs: 100 }),
  // A silent service is given up while there is still time to look for what it may have made.
  create: policy(undone, { tries: 4, deadlineMs: minute, silenceMs: 30 * second }),
  paid: policy(["unsent", "throttled", "failed"], {
    tries: 3,
    deadlineMs: 14 * minute,
    baseMs: 2_000,
  }),
  upload: policy(undone, { tries: 10, deadlineMs: 30 * minute }),
  token: policy(["unsent", "throttled", "failed"], { tries: 5, deadlineMs: 2 * minute }),
} as const satisfies Record<RetryClass, RetryPolicy>;

/** A reader that is told to slow down asks less often and waits longer than after other misses. */
const throttledRead = { tries: 4, baseMs: 500, longestMs: 10 * second } as const;

/** A 429 without Retry-After on a paid call waits this long, and never backs off (interface specification, errors). */
const paidThrottleMs = minute;

interface MissedAttempt {
  readonly miss: Miss;
  /** Attempts so far that count against the limit, this one included. */
  readonly tries: number;
  /** The caller's own limit in place of the class's. */
  readonly most?: number | undefined;
  /** What the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Milliseconds to wait before the next attempt, or `undefined` when there must be none. */
export function retryWait(
  retry: RetryClass,
  { miss, tries, most, retryAfterMs }: MissedAttempt,
  random: () => number,
): number | undefined {
  const { repeats, tries: limit } = policyFor(retry, miss);
  if (!repeats.includes(miss)) return undefined;
  if (!countsAsTry(retry, miss)) {
    // A service that answers 429 with Retry-After: 0 must not be hammered.
    return Math.max(retryAfterMs ?? paidThrottleMs, second);
  }
  if (tries >= (most ?? limit)) return undefined;
  return waitAfter(retry, { miss, tries, retryAfterMs }, random);
}

/** The waits of callers that repeat by themselves, because only they know what must happen in between. */
export function createBackOff({
  random,
  sleep,
}: Pick<RequestServices, "random" | "sleep">): Http["backOff"] {
  return async (retry, misses, { retryAfterMs, withinMs, signal } = {}) => {
    signal?.throwIfAborted();
    const { tries, deadlineMs }: RetryPolicy = policies[retry];
    if (misses >= tries) return false;
    const wait = waitAfter(retry, { miss: "failed", tries: misses, retryAfterMs }, random);
    if (wait >= (withinMs ?? deadlineMs)) return false;
    await sleep(wait, signal);
    return true;
  };
}

/** Milliseconds between a try that missed and the next. */
function waitAfter(
  retry: RetryClass,
  { miss, tries, retryAfterMs }: Pick<MissedAttempt, "miss" | "tries" | "retryAfterMs">,
  random: () => number,
): number {
  const { baseMs: firstMs, longestMs } = policyFor(retry, miss);
  // A paid call keeps the upper half, so that each of its few waits is longer than the one before.
  const jitter = retry === "paid" ? 0.5 : 1;
  return Math.max(backOffMs(tries, { firstMs, longestMs, jitter, random }), retryAfterMs ?? 0);
}

/** Whether an attempt that missed this way counts against the class's tries. */
export function countsAsTry(retry: RetryClass, miss: Miss): boolean {
  return retry !== "paid" || miss !== "throttled";
}

function policyFor(retry: RetryClass, miss: Miss): RetryPolicy {
  const policy = policies[retry];
  return retry === "read" && miss === "throttled" ? { ...policy, ...throttledRead } : policy;
}

function policy(
  repeats: readonly Miss[],
  limits: Partial<RetryPolicy> & Pick<RetryPolicy, "tries" | "deadlineMs">,
): RetryPolicy {
  return { repeats, silenceMs: 5 * minute, baseMs: 500, longestMs: 10 * second, ...limits };
}
