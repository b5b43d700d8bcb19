import { describe, expect, it } from "vitest";
import {
  allotment,
  dayLevel,
  demandOf,
  fairLevel,
  keptForOthers,
  pollPool,
  type Taker,
} from "../../../src/moderation/pace/shares.ts";

const hour = 3_600_000;
const day = 24 * hour;
const minute = 60_000;

const taker = (guildId: string, paceMs = minute): Taker => ({ guildId, paceMs, cost: 2 });
const takers = (count: number) => Array.from({ length: count }, (_, n) => taker(`g${n}`));

describe("fairLevel", () => {
  it.each([
    { demands: [], pool: 10, level: Number.POSITIVE_INFINITY },
    { demands: [4, 5], pool: 10, level: Number.POSITIVE_INFINITY },
    { demands: [10, 10], pool: 10, level: 5 },
    { demands: [1, 10, 10], pool: 10, level: 4.5 },
    { demands: [100, 1, 2], pool: 10, level: 7 },
    { demands: [3], pool: 0, level: 0 },
  ])("is $level for $demands out of $pool", ({ demands, pool, level }) => {
    expect(fairLevel(demands, pool)).toBe(level);
  });
});

describe("demandOf", () => {
  it.each([
    { paceMs: minute, cost: 2, units: 8_640 },
    { paceMs: 30 * minute, cost: 1, units: 144 },
    // Nobody looks more often than every ten seconds.
    { paceMs: 1_000, cost: 1, units: 8_640 },
  ])("counts a day at the busiest: $units for $cost every $paceMs ms", ({ units, ...of }) => {
    expect(demandOf(of)).toBe(units);
  });
});

describe("dayLevel", () => {
  it("gives one who is greedy no more than the others", () => {
    const modest = takers(19);

    const without = dayLevel([...modest, taker("other")], 10_000);
    const beside = dayLevel([...modest, taker("greedy", 10_000)], 10_000);

    expect(beside).toBe(without);
    expect(beside).toBe(250);
  });

  it("lets the others have what one who looks seldom leaves", () => {
    expect(dayLevel([taker("a"), taker("b", 2 * hour)], 10_000)).toBeCloseTo(4_928);
  });
});

describe("allotment", () => {
  const whole = { limit: 10_000, left: 10_000, forMs: day };
  const all = takers(20);

  it.each([
    { name: "its part of the day at first", pot: whole, spent: 0, units: 250 },
    { name: "less what it has spent", pot: whole, spent: 50, units: 200 },
    { name: "nothing beyond its part", pot: whole, spent: 300, units: 0 },
    {
      name: "its part also when others have spent theirs twice",
      pot: { limit: 10_000, left: 5_000, forMs: day / 2 },
      spent: 125,
      units: 125,
    },
    {
      name: "less of it when people have used up the day",
      pot: { limit: 10_000, left: 1_000, forMs: day / 2 },
      spent: 125,
      // Half of 1,000 over twenty, where 125 each was planned.
      units: 25,
    },
    { name: "nothing of nothing", pot: { ...whole, left: 0 }, spent: 0, units: 0 },
  ])("is $name", ({ pot, spent, units }) => {
    expect(allotment(taker("g0"), { takers: all, pot, spent })).toBeCloseTo(units);
  });
});

describe("pollPool", () => {
  it.each([
    { left: 10_000, forMs: day, pool: 9_000 },
    { left: 1_000, forMs: day, pool: 500 },
    { left: 1_000, forMs: hour, pool: 958.33 },
    { left: 0, forMs: day, pool: 0 },
  ])("leaves decisions something of $left", ({ left, forMs, pool }) => {
    expect(pollPool({ limit: 10_000, left, forMs })).toBeCloseTo(pool);
  });
});

describe("keptForOthers", () => {
  it("is what the others poll and decide with until the day is over", () => {
    const pot = { limit: 10_000, left: 10_000, forMs: day / 2 };

    expect(keptForOthers("g0", takers(20), pot)).toBeCloseTo((19 * 250 + 3_000 * 0.95) / 2);
  });

  it("is nothing for who is alone", () => {
    const pot = { limit: 10_000, left: 10_000, forMs: day };

    expect(keptForOthers("g0", takers(1), pot)).toBe(0);
  });
});
