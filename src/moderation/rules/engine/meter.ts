interface Measured<T> {
  /** Absent where it was ended. */
  readonly value?: T;
  readonly costMs: number;
  readonly isOver: boolean;
}

/** The longest that a step takes, measured with patterns made for it. */
const msOfStep = 20e-6;

export type Meter = ReturnType<typeof createMeter>;

/**
 * Counts what judging costs, and ends what costs too much. A work costs the thread's own time, and never more than its steps can take: where the machine is slow or busy, no rule
 * is to blame. Without `cpuMs` the steps alone count.
 */
export function createMeter(cpuMs?: () => number) {
  return {
    /** `spend` is told before a piece of work of so many steps, and throws where the whole would cost more than that. */
    measure<T>(maxCostMs: number, work: (spend: (steps: number) => void) => T): Measured<T> {
      const startedMs = cpuMs?.() ?? 0;
      let steps = 0;
      const cost = () =>
        Math.min(steps * msOfStep, cpuMs === undefined ? Infinity : cpuMs() - startedMs);
      const over = new Error("a comment costs too much");
      try {
        const value = work((more) => {
          steps += more;
          // To ask for the time costs time.
          if (steps * msOfStep > maxCostMs && cost() > maxCostMs) throw over;
        });
        const costMs = cost();
        return { value, costMs, isOver: costMs > maxCostMs };
      } catch (error) {
        if (error !== over) throw error;
        return { costMs: cost(), isOver: true };
      }
    },
  };
}
