import { describe, expect, it } from "vitest";
import {
  allotUnits,
  dailyLevel,
  dailyUnitsFor,
  fairLevel,
  type PollDemand,
  unitsForPolls,
  unitsKeptForOthers,
} from "../../../src/moderation/pace/shares.ts";

const hour = 3_600_000;
const day = 24 * hour;
const minute = 60_000;

const units = dailyUnitsFor(minute, 2);
const demand = (count: number): PollDemand => ({
  watches: [{ dailyUnits: units, count }],
  channels: count,
});
const beside = (all: PollDemand, paceMs: number): PollDemand => ({
  watches: [...all.watches, { dailyUnits: dailyUnitsFor(paceMs, 2), count: 1 }],
  channels: all.channels + 1,
});

describe("fairLevel", () => {
  it.each([
    { demands: [], pool: 10, level: Number.POSITIVE_INFINITY },
    { demands: [4, 5], pool: 10, level: Number.POSITIVE_INFINITY },
    { demands: [10, 10], pool: 10, level: 5 },
    { demands: [1, 10, 10], pool: 10, level: 4.5 },
    { demands: [100, 1, 2], pool: 10, level: 7 },
    { demands: [3], pool: 0, level: 0 },
  ])("is $level for $demands out of $pool", ({ demands, pool, level }) => {
    const watches = demands.map((dailyUnits) => ({ dailyUnits, count: 1 }));

    expect(fairLevel({ watches }, pool)).toBe(level);
  });

  it("counts those that want the same", () => {
    const watches = [
      { dailyUnits: 1, count: 1 },
      { dailyUnits: 10, count: 2 },
    ];

    expect(fairLevel({ watches }, 10)).toBe(4.5);
  });
});

describe("dailyUnitsFor", () => {
  it.each([
    { paceMs: minute, cost: 2, units: 8_640 },
    { paceMs: 30 * minute, cost: 1, units: 144 },
    // No watch is polled more often than every ten seconds.
    { paceMs: 1_000, cost: 1, units: 8_640 },
  ])(
    "counts a day at the busiest: $units for $cost every $paceMs ms",
    ({ paceMs, cost, units }) => {
      expect(dailyUnitsFor(paceMs, cost)).toBe(units);
    },
  );
});

describe("dailyLevel", () => {
  it("gives one who is greedy no more than the others", () => {
    const without = dailyLevel(demand(20), 10_000);
    const greedy = dailyLevel(beside(demand(19), 10_000), 10_000);

    expect(greedy).toBe(without);
    expect(greedy).toBe(250);
  });

  it("lets the others have what one who looks seldom leaves", () => {
    expect(dailyLevel(beside(demand(1), 2 * hour), 10_000)).toBeCloseTo(4_928);
  });
});

describe("allotment", () => {
  const whole = { limit: 10_000, left: 10_000, forMs: day };

  it.each([
    { name: "its part of the day at first", pot: whole, spentUnits: 0, expected: 250 },
    { name: "less what it has spent", pot: whole, spentUnits: 50, expected: 200 },
    { name: "nothing beyond its part", pot: whole, spentUnits: 300, expected: 0 },
    {
      name: "its part also when others have spent theirs twice",
      pot: { limit: 10_000, left: 5_000, forMs: day / 2 },
      spentUnits: 125,
      expected: 125,
    },
    {
      name: "less of it when people have used up the day",
      pot: { limit: 10_000, left: 1_000, forMs: day / 2 },
      spentUnits: 125,
      // Half of the 1,000 units divided by twenty servers, where 125 units each were planned.
      expected: 25,
    },
    { name: "nothing of nothing", pot: { ...whole, left: 0 }, spentUnits: 0, expected: 0 },
  ])("is $name", ({ pot, spentUnits, expected }) => {
    expect(allotUnits(units, { demand: demand(20), pot, spentUnits })).toBeCloseTo(expected);
  });
});

describe("unitsForPolls", () => {
  it.each([
    { left: 10_000, forMs: day, pool: 9_000 },
    { left: 1_000, forMs: day, pool: 500 },
    { left: 1_000, forMs: hour, pool: 958.33 },
    { left: 0, forMs: day, pool: 0 },
  ])("leaves decisions something of $left", ({ left, forMs, pool }) => {
    expect(unitsForPolls({ limit: 10_000, left, forMs })).toBeCloseTo(pool);
  });
});

describe("unitsKeptForOthers", () => {
  it("is what the others poll and decide with until the day is over", () => {
    const pot = { limit: 10_000, left: 10_000, forMs: day / 2 };

    expect(unitsKeptForOthers(demand(1), demand(20), pot)).toBeCloseTo(
      (19 * 250 + 3_000 * 0.95) / 2,
    );
  });

  it("is nothing for who is alone", () => {
    const pot = { limit: 10_000, left: 10_000, forMs: day };

    expect(unitsKeptForOthers(demand(1), demand(1), pot)).toBe(0);
  });
});
