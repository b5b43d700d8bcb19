import { setTimeout as delay } from "node:timers/promises";

/** Resolves after this many milliseconds; rejects when the signal is aborted. */
export type AbortableSleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** In real time. */
export const realSleep: AbortableSleep = (ms, signal) => delay(ms, undefined, { signal });

/** A timer of more than 2^31 ms would end at once. */
const longestSleepMs = 600_000;

/** Calls `ring` at the time it was last set for; for times far ahead it may ring too early. */
export function createAlarm(
  { now, sleep }: { readonly now: () => number; readonly sleep: AbortableSleep },
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
      const alarm = { at, abort: new AbortController() };
      current = alarm;
      const ms = Math.min(Math.max(at - now(), 1), longestSleepMs);
      const wake = () => {
        if (current !== alarm) return;
        current = undefined;
        ring();
      };
      // An aborted sleep wakes too, but by then another alarm has replaced it, or none is needed.
      sleep(ms, alarm.abort.signal).then(wake, wake);
    },
  };
}
