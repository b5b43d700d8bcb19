import { describe, expect, it } from "vitest";
import { budgetsOf, purseOf } from "../../../src/discord/access/purse.ts";

const userId = "333333333333333333";
const budgets = {
  ranks: { member: { units: 100, searches: 5 }, moderator: { units: 1000 } },
  people: { [userId]: { searches: 50, credits: 2 } },
};

describe("budgetsOf", () => {
  it("takes a person's own before their rank's, kind by kind", () => {
    expect(budgetsOf({ userId, rank: "member", settings: { budgets } })).toEqual({
      units: { amount: 100, of: "rank", rank: "member" },
      searches: { amount: 50, of: "person" },
      credits: { amount: 2, of: "person" },
    });
  });

  it("limits owners in nothing, and nobody without a budget", () => {
    expect(budgetsOf({ userId, rank: "owner", settings: { budgets } })).toBeUndefined();
    expect(
      budgetsOf({ userId: "4".repeat(18), rank: "manager", settings: { budgets } }),
    ).toBeUndefined();
  });

  it("keeps a budget of nothing apart from none", () => {
    const nothing = { ranks: { member: { units: 0 } } };

    expect(budgetsOf({ userId, rank: "member", settings: { budgets: nothing } })).toEqual({
      units: { amount: 0, of: "rank", rank: "member" },
    });
  });
});

describe("purseOf", () => {
  it("is none where the owners chose nothing", () => {
    expect(purseOf({ userId, rank: "member", settings: { region: "DE" } })).toBeUndefined();
  });

  it("holds quota and reserve for owners as well", () => {
    const settings = { budgets, reserve: 0.5, quota: { units: 1 } };

    expect(purseOf({ userId, rank: "owner", settings })).toEqual({
      budgets: undefined,
      reserve: 0.5,
      quota: { units: 1 },
    });
  });
});
