import type { Clock } from "../../../src/clock.ts";

/** From when on, by the machine's clock, a process's time goes so many times as fast. */
export interface Quick {
  readonly since: number;
  readonly speed: number;
}

/** Shows the same time in every process of a machine that was given the same start. */
export function createQuickClock({ since, speed }: Quick): Clock {
  return {
    now: () => Math.floor(since + (Date.now() - since) * speed),
    after: (ms, call) => {
      const timer = setTimeout(call, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}
