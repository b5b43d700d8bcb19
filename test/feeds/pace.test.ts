import { describe, expect, it } from "vitest";
import { createBudget } from "../../src/feeds/budget.ts";
import { gapOf, intervalFor, slowness } from "../../src/feeds/pace.ts";
import { day, hour, minute, plenty } from "./rig.ts";

const now = Date.UTC(2026, 10, 21);
const datesEvery = (gap: number, age = gap / 2) =>
  Array.from({ length: 20 }, (_, index) => now - age - index * gap);
const interval = (gap: number, age?: number) => {
  const dates = datesEvery(gap, age);
  const newestAt = Math.max(...dates);
  return intervalFor({ gapMs: gapOf(dates) ?? 0, newestAt }, false, now);
};

describe("intervalFor", () => {
  it.each([
    ["every hour", hour, 5 * minute],
    ["twice a day", 12 * hour, 7.2 * minute],
    ["every day", day, 14.4 * minute],
    ["every week", 7 * day, 20 * minute],
    ["every month", 30 * day, 20 * minute],
  ])("follows a channel that publishes %s", (_, gap, due) => {
    expect(interval(gap)).toBeCloseTo(due, -1);
  });

  it("is short just after something came out", () => {
    expect(interval(7 * day, 5 * minute)).toBe(5 * minute);
  });

  it("is long for a channel that stopped", () => {
    expect(interval(hour, 3 * day)).toBeGreaterThan(10 * minute);
    expect(interval(day, 90 * day)).toBe(hour);
  });

  it("is six hours while the hub tells what is new", () => {
    expect(intervalFor({ gapMs: hour, newestAt: now }, true, now)).toBe(6 * hour);
  });

  it("knows nothing of a channel with two videos", () => {
    expect(gapOf([now, now - hour])).toBeUndefined();
    expect(intervalFor({ newestAt: now - day }, false, now)).toBe(5 * minute);
  });
});

describe("slowness", () => {
  it("is none while the units last", () => {
    expect(slowness(plenty(now), 1_000, now)).toBe(1);
  });

  it("stretches all alike so that half of what is open lasts until midnight", () => {
    const left = { ...plenty(now), left: 5_000, resetsAt: new Date(now + day) };

    // 5,000 less 2,000 for moderation and 1,000 that nobody unasked takes.
    expect(slowness(left, 2_000, now)).toBeCloseTo(2);
  });

  it.each([
    ["blocked", { blocked: true }],
    ["at what moderation keeps", { left: 2_000 }],
    ["at the last tenth", { left: 3_000 }],
  ])("is no pace at all when the day is %s", (_, change) => {
    expect(slowness({ ...plenty(now), ...change }, 10, now)).toBeUndefined();
  });
});

describe("createBudget", () => {
  it("slows a project's feeds by what all of them take, and no other project's", async () => {
    const left = { ...plenty(now), left: 3_800, resetsAt: new Date(now + day) };
    const budget = createBudget({
      clock: { now: () => now, after: () => () => undefined },
      left: async () => left,
      project: async (guildId) => (guildId === "alone" ? "own" : "shared"),
      log: { debug: () => undefined } as never,
      rows: { progress: async () => ({ failures: 0 }) },
    });
    const refs = Array.from({ length: 20 }, (_, index) => ({
      guildId: index === 0 ? "one" : "greedy",
      feedId: `${index}`,
    }));
    await budget.know([...refs, { guildId: "alone", feedId: "x" }]);

    const progress = { failures: 0 };
    const shared = await budget.intervalOf({ guildId: "one", feedId: "0" }, progress);
    const alone = await budget.intervalOf({ guildId: "alone", feedId: "x" }, progress);

    // 20 feeds of 288 looks a day, and 400 units.
    expect(shared / minute).toBeCloseTo((5 * 20 * 288) / 400, 1);
    expect(alone).toBe(5 * minute);
  });
});
