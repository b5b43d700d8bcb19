import type { Clock } from "../../../src/clock.ts";

/** A clock that starts at `since` on the machine's clock and runs `speed` times as fast. */
export interface Quick {
  readonly since: number;
  readonly speed: number;
}

/** Shows the same time in every process with the same `since` and `speed`. */
export function createQuickClock({ since, speed }: Quick): Clock {
  return {
    now: () => Math.floor(since + (Date.now() - since) * speed),
    after: (ms, call) => {
      const timer = setTimeout(call, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}
