import { describe, expect, it } from "vitest";
import { findBudgets, findSpendingLimits } from "../../src/budget/index.ts";

const userId = "333333333333333333";
const budgets = {
  ranks: { member: { units: 100, searches: 5 }, moderator: { units: 1000 } },
  people: { [userId]: { searches: 50, credits: 2 } },
};

describe("findBudgets", () => {
  it("takes a person's own before their rank's, kind by kind", () => {
    expect(findBudgets({ userId, rank: "member", settings: { budgets } })).toEqual({
      units: { amount: 100, of: "rank", rank: "member" },
      searches: { amount: 50, of: "person" },
      credits: { amount: 2, of: "person" },
    });
  });

  it("limits owners in nothing", () => {
    expect(findBudgets({ userId, rank: "owner", settings: { budgets } })).toBeUndefined();
  });

  it.each([
    ["member", { units: 200, searches: 10, credits: 3 }],
    ["moderator", { units: 2_500, searches: 25, credits: 10 }],
    ["manager", { units: 5_000, searches: 50, uploads: 50, credits: 25 }],
  ] as const)("gives a %s the usual where nothing was chosen, kind by kind", (rank, amounts) => {
    const limits = Object.entries(findBudgets({ userId, rank, settings: {} }) ?? {});
    const chosen = { budgets: { ranks: { [rank]: { units: 7 } } } };

    expect(Object.fromEntries(limits.map(([kind, { amount }]) => [kind, amount]))).toEqual(amounts);
    expect(findBudgets({ userId, rank, settings: chosen })).toMatchObject({
      units: { amount: 7, of: "rank", rank },
      searches: { amount: amounts.searches },
    });
  });

  it("leaves a rank alone whose budget was removed", () => {
    const settings = { budgets: { unlimited: { member: true } } } as const;

    expect(findBudgets({ userId, rank: "member", settings })).toEqual({});
  });

  it("keeps a budget of nothing apart from none", () => {
    const nothing = { ranks: { member: { units: 0 } } };

    expect(findBudgets({ userId, rank: "member", settings: { budgets: nothing } })).toMatchObject({
      units: { amount: 0, of: "rank", rank: "member" },
    });
  });
});

describe("findSpendingLimits", () => {
  it("is none for an owner where nothing was chosen", () => {
    expect(findSpendingLimits({ userId, rank: "owner", settings: {} })).toBeUndefined();
  });

  it("holds quota and reserve for owners as well", () => {
    const settings = { budgets, reserve: 0.5, quota: { units: 1 } };

    expect(findSpendingLimits({ userId, rank: "owner", settings })).toEqual({
      budgets: undefined,
      reserve: 0.5,
      quota: { units: 1 },
    });
  });
});
