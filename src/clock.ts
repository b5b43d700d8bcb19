import { NetworkError } from "./errors.ts";

/** Time, so that tests and campaigns decide it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it returns is called before. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}

/** The process's own timers. */
export function clockOf(now: () => number): Clock {
  return {
    now,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

const systemClock = clockOf(Date.now);

export interface TimeoutOptions {
  readonly ms: number;
  /** The process's own timers when absent. */
  readonly clock?: Clock;
  /** Ends the wait early, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The result of `work`, unless that takes too long: then its signal aborts and nobody waits for it any more.
 * @throws NetworkError `timeout`, with an unknown outcome; the reason of `signal`; what `work` throws.
 */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, clock = systemClock, signal }: TimeoutOptions,
): Promise<T> {
  const timeout = new AbortController();
  const stopTimer = clock.after(ms, () => timeout.abort(timedOut(ms)));
  const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
  try {
    return await abortable(work(either), either);
  } finally {
    stopTimer();
  }
}

function timedOut(ms: number): NetworkError {
  return new NetworkError(`no answer within ${ms} ms`, { code: "timeout", outcome: "unknown" });
}

/**
 * Waits for a promise until the signal aborts. The work behind the promise goes on: this is for work that others wait for too.
 * @throws The signal's reason; what the promise rejects with.
 */
export async function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // An abort that lost the race is heard by nobody.
    aborted.promise.catch(() => undefined);
  }
}

/** A signal that aborts so many milliseconds after the given one, so that a call under way may still end. */
export function abortedLater(
  signal: AbortSignal,
  ms: number,
  clock: Clock = systemClock,
): AbortSignal {
  const later = new AbortController();
  const wait = () => void clock.after(ms, () => later.abort(signal.reason));
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return later.signal;
}

export interface BackOffOptions {
  /** The wait after the first failure; each further failure doubles it. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** The share of the wait that is left to chance, 0 to 1, so that many don't come back in one moment. None when absent. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** Milliseconds to wait after so many failures in a row, at least one. */
export function backOffMs(
  failures: number,
  { firstMs, longestMs, jitter = 0, random = Math.random }: BackOffOptions,
): number {
  const ceilingMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(ceilingMs * (1 - jitter + jitter * random()));
}
