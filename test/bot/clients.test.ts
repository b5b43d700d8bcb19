import { describe, expect, it } from "vitest";
import { spendingLimitsFor } from "../../src/bot/clients.ts";

const key = { key: "AIza" };
const channel = { channelOf: "1".repeat(18) };
const who = { guildId: channel.channelOf, userId: "2".repeat(18), command: "search" };
const budgets = { units: { amount: 5, of: "person" } } as const;
const none = { guildDailyUnits: undefined, sharedDailyUnits: undefined };

const billedTo = (reserve: number | undefined) => ({
  ...who,
  limits: { budgets, quota: { units: 50_000 }, reserve },
});

describe("what limits a person", () => {
  it("is all the guild's choice with its own key", () => {
    expect(spendingLimitsFor(key, billedTo(0), { ...none, guildDailyUnits: 100 })).toEqual({
      quota: { units: 50_000 },
      reserve: 0,
      budgets,
    });
  });

  it("is a share of what all channels spend, whose reserve can be raised alone", () => {
    expect(
      spendingLimitsFor(channel, billedTo(0.5), { ...none, guildDailyUnits: 100 }),
    ).toMatchObject({
      server: { units: 100 },
      reserve: 0.5,
    });
    expect(spendingLimitsFor(channel, billedTo(0), none).reserve).toBe(0.2);
    expect(spendingLimitsFor(channel, billedTo(undefined), none)).not.toHaveProperty("reserve");
    expect(spendingLimitsFor(channel, billedTo(0), none)).not.toHaveProperty("quota");
  });

  it("follows from what the shared project has, and never changes a key's own project", () => {
    const more = { ...none, sharedDailyUnits: 1_000_000 };

    expect(spendingLimitsFor(channel, billedTo(0), more).quota).toEqual({ units: 1_000_000 });
    expect(spendingLimitsFor(key, billedTo(0), more).quota).toEqual({ units: 50_000 });
  });

  it("is a part of what all channels share, and all of a key's project, where nobody chose anything", () => {
    expect(spendingLimitsFor(channel, who, none)).toEqual({});
    expect(spendingLimitsFor(key, who, none)).toEqual({});
  });
});
