import { describe, expect, it } from "vitest";
import { type Day, type Habits, liveDay } from "../support/day.ts";

const guildOf = (n: number) => `11111111111111${String(n).padStart(4, "0")}`;
const greedy = guildOf(20);
const hour = 3_600_000;
const modest: Habits = { paceMs: 60_000, commentsAnHour: 1.5, decidesEveryMs: 12 * hour };
const much: Habits = { paceMs: 10_000, commentsAnHour: 90, decidesEveryMs: hour / 2 };

function servers(last: Habits): ReadonlyMap<string, Habits> {
  const others = Array.from({ length: 19 }, (_, n) => [guildOf(n + 1), modest] as const);
  return new Map([...others, [greedy, last]]);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function figuresOf({ intervals, decided, waits, units, refused }: Day) {
  const others = [...intervals.keys()].filter((guildId) => guildId !== greedy);
  return {
    units,
    refused,
    othersMs: median(others.flatMap((guildId) => intervals.get(guildId) ?? [])),
    othersWaitMs: median(others.flatMap((guildId) => waits.get(guildId) ?? [])),
    othersDecided: others.reduce((sum, guildId) => sum + (decided.get(guildId) ?? 0), 0),
    greedyMs: median(intervals.get(greedy) ?? []),
    greedyDecided: decided.get(greedy) ?? 0,
  };
}

describe("a day of twenty servers that share one project", () => {
  it("keeps the pace of the others when one of them is greedy", async () => {
    const calm = figuresOf(await liveDay(servers(modest)));
    const busy = figuresOf(await liveDay(servers(much)));

    expect(Math.abs(busy.othersMs / calm.othersMs - 1)).toBeLessThan(0.1);
    expect(calm.othersDecided).toBeGreaterThan(300);
    // Decisions that are made together are sent at once, whatever the greedy server does.
    expect(busy.othersDecided).toBeGreaterThanOrEqual(calm.othersDecided * 0.98);
    expect(busy.greedyDecided).toBeGreaterThan(1_450);
    for (const { units, refused } of [calm, busy]) {
      expect(units).toBeLessThanOrEqual(10_000);
      expect(refused).toBe(0);
    }
  });
});
