import { minuteMs } from "../../../clock.ts";

interface MinuteCosts {
  readonly since: number;
  readonly costs: Map<string, number>;
}

export type TestCosts = ReturnType<typeof createTestCosts>;

/** What each test has cost each server in the current minute. */
export function createTestCosts(now: () => number, maxCostMs: number) {
  const minutes = new Map<string, MinuteCosts>();

  function currentMinute(guildId: string): MinuteCosts {
    const known = minutes.get(guildId);
    if (known !== undefined && now() - known.since < minuteMs) return known;
    for (const [id, { since }] of minutes) if (now() - since >= minuteMs) minutes.delete(id);
    const begun = { since: now(), costs: new Map<string, number>() };
    minutes.set(guildId, begun);
    return begun;
  }

  return {
    add(guildId: string, key: string, costMs: number): void {
      const { costs } = currentMinute(guildId);
      costs.set(key, (costs.get(key) ?? 0) + costMs);
    },
    /** Whether the server has used up the minute's limit. */
    isSpent(guildId: string): boolean {
      const costs = [...currentMinute(guildId).costs.values()];
      return costs.reduce((sum, cost) => sum + cost, 0) > maxCostMs;
    },
    /** The key that cost most among these; undefined if none cost anything. */
    dearest(guildId: string, among: readonly string[]): string | undefined {
      const { costs } = currentMinute(guildId);
      const cost = (key: string) => costs.get(key) ?? 0;
      const [first] = among.filter((key) => cost(key) > 0).sort((a, b) => cost(b) - cost(a));
      return first;
    },
    /** Drops the costs of a test that is not run any more. */
    drop: (guildId: string, key: string) => void currentMinute(guildId).costs.delete(key),
    forget: (guildId: string) => void minutes.delete(guildId),
  };
}
