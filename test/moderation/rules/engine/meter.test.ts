import { describe, expect, it } from "vitest";
import { createMeter } from "../../../../src/moderation/rules/engine/meter.ts";

/** A machine on which every look at the time finds so much of it gone. */
function cpuOf(msEach: number) {
  let ms = 0;
  return () => {
    ms += msEach;
    return ms;
  };
}

const million = 1_000_000;

describe("createMeter", () => {
  it("ends a work before a step too many", () => {
    const done: number[] = [];

    const { isOver, value } = createMeter().measure(100, (spend) => {
      for (let n = 0; n < 10; n += 1) {
        spend(2 * million);
        done.push(n);
      }
      return "done";
    });

    expect({ isOver, value, done }).toEqual({ isOver: true, value: undefined, done: [0, 1] });
  });

  it("counts the thread's time where that is less than the steps may take", () => {
    const measured = createMeter(cpuOf(3)).measure(100, (spend) => spend(50 * million));

    expect(measured).toMatchObject({ isOver: false, costMs: 6 });
  });

  it("blames no work of few steps for a slow machine", () => {
    const measured = createMeter(cpuOf(60_000)).measure(100, (spend) => spend(million));

    expect(measured.isOver).toBe(false);
    expect(measured.costMs).toBeCloseTo(20);
  });

  it("hands on what the work throws", () => {
    const fault = new Error("of its own");
    const failing = () => {
      throw fault;
    };

    expect(() => createMeter().measure(100, failing)).toThrow(fault);
  });
});
