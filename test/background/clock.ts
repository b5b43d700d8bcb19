import { setImmediate as turnOfLoop } from "node:timers/promises";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until `run` moves it from sleeper to sleeper, each time after all that is due has happened. */
export function createClock(start = Date.UTC(2026, 0, 15, 12)) {
  let time = start;
  const sleepers = new Set<Sleeper>();

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: time + ms, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Runs until nothing sleeps any more, or until that time. */
  async function run(until = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      await turnOfLoop();
      const [next] = [...sleepers].sort((one, other) => one.at - other.at);
      if (next === undefined || next.at > until) break;
      sleepers.delete(next);
      time = Math.max(time, next.at);
      next.wake();
    }
    if (Number.isFinite(until)) time = Math.max(time, until);
  }

  return { now: () => time, sleep, run, asleep: () => sleepers.size };
}
