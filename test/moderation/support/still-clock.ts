import type { Clock } from "../../../src/clock.ts";

/** A clock that stands still while anything is under way, so that hours pass in seconds and nothing is late. */
export interface StillClock extends Clock {
  /** `isBusy` is asked before time moves on. Returns a function that ends this. */
  watch(isBusy: () => boolean): () => void;
  /** Counts a work as under way until it ends. */
  hold<T>(work: Promise<T>): Promise<T>;
  /** Lets everything happen that is due within that time, one thing after the other. */
  pass(ms: number): Promise<void>;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * How often a process looks for jobs that other processes made; it starts its own jobs when they are due. Hours pass in
 * these tests, so with the real half second most of the work would be looking for jobs.
 */
export const lookEveryMs = 120_000;

/** Between two pieces of work, nothing seems to run for some turns of the event loop. */
const quietTurns = 4;

export function createStillClock(start: number): StillClock {
  const timers = new Set<Timer>();
  const workers = new Set<() => boolean>();
  let time = start;
  let held = 0;

  function next(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= until && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
  }

  function isBusy(): boolean {
    if (held > 0) return true;
    for (const works of workers) if (works()) return true;
    return false;
  }

  async function settled(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isBusy()) continue;
      quiet = -1;
      // Work under way is a request or a query, which asking at every turn would only slow down.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  return {
    now: () => time,
    after: (ms, call) => {
      const timer = { at: time + Math.max(0, Math.ceil(ms)), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    watch: (works) => {
      workers.add(works);
      return () => workers.delete(works);
    },
    hold: async (work) => {
      held += 1;
      try {
        return await work;
      } finally {
        held -= 1;
      }
    },
    async pass(ms) {
      const until = time + Math.ceil(ms);
      for (;;) {
        await settled();
        const timer = next(until);
        if (timer === undefined) break;
        timers.delete(timer);
        time = Math.max(time, timer.at);
        timer.call();
      }
      time = until;
    },
    settled,
  };
}
