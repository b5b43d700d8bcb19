/** A clock that jumps to the next timer, so that hours pass in seconds. */
export interface VirtualTime {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets time pass until the promise settles. @throws Error when no timer is left. */
  pass(over: Promise<unknown>): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

export function virtualTime(start = 0): VirtualTime {
  const timers = new Set<Timer>();
  let time = start;

  function next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = { at: time + ms, wake: resolve };
        timers.add(timer);
        signal?.addEventListener("abort", () => {
          timers.delete(timer);
          reject(signal.reason);
        });
      }),
    async pass(over) {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      over.then(end, end);
      for (;;) {
        // Lets everything happen first that can happen without time passing.
        await new Promise((resolve) => setImmediate(resolve));
        if (isOver) return;
        const timer = next();
        if (timer === undefined) throw new Error("everybody waits for nothing");
        timers.delete(timer);
        time = timer.at;
        timer.wake();
      }
    },
  };
}
