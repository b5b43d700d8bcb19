import { setTimeout as delay } from "node:timers/promises";

/** Rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** In real time. */
export const realSleep: Sleep = (ms, signal) => delay(ms, undefined, { signal });

/** Timers end at once beyond 2^31 ms. */
const longestSleepMs = 600_000;

/** Calls back at the moment that it was set for last; after a long sleep it may be too early. */
export function createAlarm(
  { now, sleep }: { readonly now: () => number; readonly sleep: Sleep },
  ring: () => void,
) {
  let current: { readonly at: number; readonly abort: AbortController } | undefined;
  return {
    /** In milliseconds since the epoch; undefined for none. */
    set(at: number | undefined): void {
      if (current?.at === at) return;
      current?.abort.abort();
      current = undefined;
      if (at === undefined) return;
      const mine = { at, abort: new AbortController() };
      current = mine;
      const ms = Math.min(Math.max(at - now(), 1), longestSleepMs);
      const woken = () => {
        if (current !== mine) return;
        current = undefined;
        ring();
      };
      // A sleep that is broken off has another in its place, or nobody who waits.
      sleep(ms, mine.abort.signal).then(woken, woken);
    },
  };
}
