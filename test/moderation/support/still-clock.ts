import type { Clock } from "../../../src/clock.ts";

/** A clock that stands still while anything is under way, so that hours pass in seconds and nothing comes too late. */
export interface StillClock extends Clock {
  /** Asked before time moves on: whether somebody still works. */
  watch(isBusy: () => boolean): () => void;
  /** Counts a work as under way until it is over. */
  hold<T>(work: Promise<T>): Promise<T>;
  /** Lets what happens within that time happen, one thing after the other. */
  pass(ms: number): Promise<void>;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * How often a process looks for jobs that other processes made; its own it starts when they are due. Hours pass in these
 * tests, so with the real half second most of their time would go into looking.
 */
export const lookEveryMs = 120_000;

/** Between two pieces of work there are some turns of the event loop in which nothing seems to run. */
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
      // What is under way is a request or the store; to ask at every turn would be a turn in its way.
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
