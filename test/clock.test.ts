import { describe, expect, it } from "vitest";
import {
  abortLater,
  backOffMs,
  type Clock,
  createTimerClock,
  durationSeconds,
  waitUnlessAborted,
  withTimeout,
} from "../src/clock.ts";

describe("createTimerClock", () => {
  it("calls back, unless it is called off before", async () => {
    const clock = createTimerClock(Date.now);
    const called: string[] = [];
    const callOff = clock.after(5, () => called.push("called off"));

    callOff();
    await new Promise<void>((resolve) => {
      // Keeps the process alive, which the clock's own timers do not.
      const held = setTimeout(() => {}, 60_000);
      clock.after(20, () => {
        clearTimeout(held);
        resolve();
      });
    });

    expect(called).toEqual([]);
  });
});

/** A clock that only moves when a test says so. */
function stoppedClock() {
  const timers = new Set<() => void>();
  const after: Clock["after"] = (_ms, call) => {
    timers.add(call);
    return () => timers.delete(call);
  };
  return {
    clock: { now: () => 0, after },
    ring: () => timers.forEach((call) => void call()),
    timers,
  };
}

describe("withTimeout", () => {
  it("gives what the work gives, and stops its timer", async () => {
    const { clock, timers } = stoppedClock();

    const result = await withTimeout(async () => "done", { timeoutMs: 50, clock });

    expect(result).toBe("done");
    expect(timers.size).toBe(0);
  });

  it("aborts work that takes too long, and waits for it no more", async () => {
    const { clock, ring } = stoppedClock();
    let signal: AbortSignal | undefined;
    const waiting = withTimeout(
      (given) => {
        signal = given;
        return new Promise<never>(() => {});
      },
      { timeoutMs: 50, clock },
    );

    ring();

    await expect(waiting).rejects.toMatchObject({ code: "timeout", outcome: "unknown" });
    expect(signal?.aborted).toBe(true);
  });

  it("ends with the reason of its caller's signal", async () => {
    const caller = new AbortController();
    const waiting = withTimeout(() => new Promise<never>(() => {}), {
      timeoutMs: 50,
      clock: stoppedClock().clock,
      signal: caller.signal,
    });

    caller.abort("stopped");

    await expect(waiting).rejects.toBe("stopped");
  });
});

describe("abortable", () => {
  it("rejects at once for a signal that was aborted before", async () => {
    const waiting = waitUnlessAborted(new Promise<never>(() => {}), AbortSignal.abort("over"));

    await expect(waiting).rejects.toBe("over");
  });

  it("gives what the promise gives without a signal", async () => {
    expect(await waitUnlessAborted(Promise.resolve(1))).toBe(1);
  });
});

describe("abortLater", () => {
  it("aborts after the wait, with the reason of the first signal", () => {
    const { clock, ring } = stoppedClock();
    const first = new AbortController();
    const later = abortLater(first.signal, 700, clock);

    first.abort("stopped");
    const wasAborted = later.aborted;
    ring();

    expect(wasAborted).toBe(false);
    expect(later.reason).toBe("stopped");
  });
});

describe("backOffMs", () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [9, 60_000],
    [10_000, 60_000],
  ])("doubles with each failure up to the longest: %i failures wait %i ms", (failures, ms) => {
    expect(backOffMs(failures, { firstMs: 500, longestMs: 60_000 })).toBe(ms);
  });

  it("leaves no more than its jitter to chance", () => {
    const options = { firstMs: 500, longestMs: 60_000, jitter: 0.5 };

    expect(backOffMs(1, { ...options, random: () => 0 })).toBe(250);
    expect(backOffMs(1, { ...options, random: () => 1 })).toBe(500);
  });
});

describe("durationSeconds", () => {
  it.each([
    ["PT1H2M3S", 3723],
    ["P1DT1S", 86_401],
    ["P1DT2H3M4S", 93_784],
    ["P3W3DT20H31M21S", 2_147_481],
    ["P1W", 604_800],
    ["P2W", 1_209_600],
    ["P1WT1H", 608_400],
    ["P1W1D", 691_200],
    ["P0W1DT0H", 86_400],
    ["P0.5W", 302_400],
    ["P1,5D", 129_600],
    ["PT1.5H", 5400],
    ["PT0.29H", 1044],
    ["PT0,5M", 30],
    ["PT15.5S", 15],
    ["PT15,5S", 15],
    ["PT15.999S", 15],
    ["PT1M0.5S", 60],
    ["PT0.4S", 1],
    ["PT90M", 5400],
    ["PT36H", 129_600],
    ["PT86400S", 86_400],
    ["PT5M", 300],
    ["P0Y0M0DT0H5M", 300],
    ["PT11H59M59S", 43_199],
    ["P0D", undefined],
    ["P0W", undefined],
    ["PT0S", undefined],
    ["PT0.0S", undefined],
    ["P1Y", undefined],
    ["P1M", undefined],
    ["P1Y2M3DT4H", undefined],
    ["P", undefined],
    ["PT", undefined],
    ["P5S", undefined],
    ["P1H", undefined],
    ["PT1W", undefined],
    ["PT1S1M", undefined],
    ["PT.5S", undefined],
    ["PT1.S", undefined],
    ["-PT5S", undefined],
    ["PT5S ", undefined],
    ["pt5s", undefined],
    ["5S", undefined],
    [`PT${"9".repeat(400)}S`, undefined],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %s", (iso, seconds) => {
    expect(durationSeconds(iso)).toBe(seconds);
  });
});
