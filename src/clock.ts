/** Time, so that tests and campaigns decide it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it answers is called before. Does not hold the process. */
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
