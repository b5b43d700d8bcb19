import { describe, expect, it } from "vitest";
import { termsOf } from "../../src/bot/terms.ts";

const key = { key: "AIza" };
const channel = { channelOf: "1".repeat(18) };
const who = { guildId: channel.channelOf, userId: "2".repeat(18), command: "search" };
const budgets = { units: { amount: 5, of: "person" } } as const;
const none = { guildDailyUnits: undefined };

const payer = (reserve: number | undefined) => ({
  ...who,
  purse: { budgets, quota: { units: 50_000 }, reserve },
});

describe("what limits a payer", () => {
  it("is all the guild's choice with its own key", () => {
    expect(termsOf(key, payer(0), { guildDailyUnits: 100 })).toEqual({
      limits: { units: 50_000 },
      reserve: 0,
      budgets,
      isSpare: undefined,
    });
  });

  it("is a share of what all channels spend, whose reserve can be raised alone", () => {
    expect(termsOf(channel, payer(0.5), { guildDailyUnits: 100 })).toMatchObject({
      guild: { units: 100 },
      reserve: 0.5,
    });
    expect(termsOf(channel, payer(0), none).reserve).toBe(0.2);
    expect(termsOf(channel, payer(undefined), none)).not.toHaveProperty("reserve");
    expect(termsOf(channel, payer(0), none)).not.toHaveProperty("limits");
  });

  it("is a part of what all channels share, and all of a key's project, where nobody chose anything", () => {
    expect(termsOf(channel, who, none)).toEqual({ isShared: true });
    expect(termsOf(key, who, none)).toEqual({});
  });
});
