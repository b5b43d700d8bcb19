import { NetworkError } from "./errors.ts";

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The time and timers; tests replace them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after this many milliseconds; the returned function cancels that. Does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}

/** A clock that uses the process's own timers. */
export function createTimerClock(now: () => number): Clock {
  return {
    now,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

const systemClock = createTimerClock(Date.now);

interface TimeoutOptions {
  readonly timeoutMs: number;
  /** The process's own timers when absent. */
  readonly clock?: Clock;
  /** Ends the wait early, with this signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` with a deadline. After that its signal aborts, and its result is ignored.
 * @throws NetworkError `timeout`, with an unknown outcome; the reason of `signal`; what `work` throws.
 */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { timeoutMs: ms, clock = systemClock, signal }: TimeoutOptions,
): Promise<T> {
  const timeout = new AbortController();
  const tooLate = { code: "timeout", outcome: "unknown" } as const;
  const stopTimer = clock.after(ms, () =>
    timeout.abort(new NetworkError(`no answer within ${ms} ms`, tooLate)),
  );
  const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
  try {
    return await waitUnlessAborted(work(either), either);
  } finally {
    stopTimer();
  }
}

/**
 * Waits for a promise until the signal aborts. The work itself is not stopped, because others may wait for it too.
 * @throws The signal's reason; what the promise rejects with.
 */
export async function waitUnlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // If the abort came too late, nobody handles its rejection.
    aborted.promise.catch(() => undefined);
  }
}

/** A signal that aborts this many milliseconds after the given one, so that a running call can still end. */
export function abortLater(
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

interface BackOffOptions {
  /** The wait after the first failure; each further failure doubles it. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** The random share of the wait, 0 to 1, so that callers don't all come back at once. 0 when absent. */
  readonly jitter?: number;
  readonly random?: () => number;
}

/** How long to wait after a number of failures in a row (at least 1). */
export function backOffMs(
  failures: number,
  { firstMs, longestMs, jitter = 0, random = Math.random }: BackOffOptions,
): number {
  const ceilingMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(ceilingMs * (1 - jitter + jitter * random()));
}

const isoDuration =
  /^P(?:(\d+(?:[.,]\d+)?)Y)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/u;

const secondsPerPart = [7 * 86_400, 86_400, 3600, 60, 1];

/**
 * Whole seconds of an ISO 8601 duration such as `P1W`, `PT1H2M3S` or `PT15,5S`, rounded down as players do; undefined for
 * what has no length. Years and months are no lengths either: they differ from one to the next.
 */
export function durationSeconds(iso: string | undefined): number | undefined {
  const [whole, ...parts] = isoDuration.exec(iso ?? "") ?? [];
  if (whole === undefined) return undefined;
  const [years = 0, months = 0, ...counts] = parts.map((part = "0") =>
    Number(part.replace(",", ".")),
  );
  if (years > 0 || months > 0) return undefined;
  const sum = counts.reduce((all, count, at) => all + count * (secondsPerPart[at] ?? 0), 0);
  // Whatever is shorter than a second has a length too. Sums of fractions are off by less than a millionth.
  return sum === 0 || !Number.isFinite(sum) ? undefined : Math.max(1, Math.floor(sum + 1e-6));
}

/** An ISO 8601 date in milliseconds since the epoch; undefined for anything else. */
export function parseTime(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}
