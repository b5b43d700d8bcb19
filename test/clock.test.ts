import { describe, expect, it } from "vitest";
import { clockOf } from "../src/clock.ts";

describe("clockOf", () => {
  it("calls back, unless it is called off before", async () => {
    const clock = clockOf(Date.now);
    const called: string[] = [];
    const callOff = clock.after(5, () => called.push("called off"));

    callOff();
    await new Promise<void>((resolve) => {
      // Keeps the process, which the clock's own timers do not.
      const held = setTimeout(() => {}, 60_000);
      clock.after(20, () => {
        clearTimeout(held);
        resolve();
      });
    });

    expect(called).toEqual([]);
  });
});
