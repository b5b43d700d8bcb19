import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createdAt, createSentTimes } from "../../src/discord/snowflake.ts";

const startedAt = Date.parse("2026-11-21T12:00:00Z");

function idAt(time: number): string {
  return String(BigInt(time - 1_420_070_400_000) << 22n);
}

/** Discord's clock, and ours, which is `ahead` of it. */
function openClocks(ahead = 0) {
  vi.useFakeTimers({ now: startedAt, toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let discord = startedAt;
  let offset = ahead;
  const sentAt = createSentTimes(() => discord + offset);
  return {
    /** How old something appears that was sent so long ago. */
    age: (underWayMs: number) => discord + offset - sentAt(idAt(discord - underWayMs)),
    pass: (ms: number) => {
      discord += ms;
      vi.advanceTimersByTime(ms);
    },
    setAhead: (ms: number) => {
      offset = ms;
    },
  };
}

describe("createdAt", () => {
  it("reads the time of Discord's own example", () => {
    expect(createdAt("175928847299117063")).toBe(Date.parse("2016-04-30T11:18:25.796Z"));
  });
});

describe("createSentTimes", () => {
  it.each([0, 90_000, -90_000])(
    "knows how old things are where our clock is %i ms ahead",
    (ahead) => {
      const { age, pass } = openClocks(ahead);
      age(40);
      pass(1_000);

      expect([age(2_540), age(40), age(30_040)]).toEqual([2_500, 0, 30_000]);
    },
  );

  it("follows a clock that is set", () => {
    const { age, setAhead } = openClocks();
    age(40);

    setAhead(5_000);
    expect([age(40), age(540)]).toEqual([0, 500]);
    setAhead(-5_000);
    expect([age(40), age(540)]).toEqual([0, 500]);
  });

  it("remembers the fastest way for five minutes, and not for ever", () => {
    const { age, pass } = openClocks();
    age(40);
    pass(299_000);
    age(240);
    pass(2_000);
    expect(age(240)).toBe(200);

    pass(300_000);
    expect(age(240)).toBe(0);
  });

  it("forgets what it saw before a long silence", () => {
    const { age, pass } = openClocks();
    age(40);
    pass(3_600_000);

    expect(age(240)).toBe(0);
  });

  it("takes ids without a plausible time for new, and learns nothing from them", () => {
    const { age } = openClocks();
    age(40);

    expect([age(16 * 60_000), age(-16 * 60_000), age(540)]).toEqual([0, 0, 500]);
  });
});
