import { describe, expect, it } from "vitest";
import type { CreditsSpent } from "../../../src/budget/index.ts";
import {
  creditDaysLeft,
  dailyCredits,
  recentCredits,
  sumCredits,
  sumCreditsBy,
} from "../../../src/features/credits/sums.ts";

const now = Date.UTC(2026, 2, 1, 8, 30);

function spent(day: string, credits: number, rest: Partial<CreditsSpent> = {}): CreditsSpent {
  return { day, credits, pictures: 1, userId: "1", command: "background remove", ...rest };
}

describe("lately", () => {
  it("counts today as the first day, by Pacific time, over the end of a month", () => {
    const all = [spent("2026-03-01", 1), spent("2026-02-28", 2), spent("2026-02-22", 4)];

    expect(sumCredits(recentCredits(all, 1, now)).credits).toBe(1);
    expect(sumCredits(recentCredits(all, 2, now)).credits).toBe(3);
    expect(sumCredits(recentCredits(all, 7, now)).credits).toBe(3);
    expect(sumCredits(recentCredits(all, 8, now)).credits).toBe(7);
  });
});

describe("sumCredits", () => {
  it("adds up fractions and pictures", () => {
    expect(sumCredits([spent("a", 0.25), spent("b", 0.5, { pictures: 2 })])).toEqual({
      credits: 0.75,
      pictures: 3,
    });
    expect(sumCredits([])).toEqual({ credits: 0, pictures: 0 });
  });
});

describe("sumCreditsBy", () => {
  it("puts the largest first, of equal ones the one with more pictures", () => {
    const all = [
      spent("2026-03-01", 1, { userId: "a" }),
      spent("2026-03-01", 0.5, { userId: "b", pictures: 3 }),
      spent("2026-02-28", 0.5, { userId: "b" }),
      spent("2026-02-28", 2, { userId: "c" }),
    ];

    expect(sumCreditsBy(all, ({ userId }) => userId)).toEqual([
      ["c", { credits: 2, pictures: 1 }],
      ["b", { credits: 1, pictures: 4 }],
      ["a", { credits: 1, pictures: 1 }],
    ]);
  });
});

describe("daily", () => {
  it("has each day once, oldest first, empty ones too", () => {
    const all = [spent("2026-03-01", 1), spent("2026-03-01", 0.25), spent("2026-02-27", 2)];

    expect(dailyCredits(all, 4, now).map(({ day, credits }) => [day, credits])).toEqual([
      ["2026-02-26", 0],
      ["2026-02-27", 2],
      ["2026-02-28", 0],
      ["2026-03-01", 1.25],
    ]);
  });
});

describe("lasting", () => {
  const steady = ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01"].map((day) =>
    spent(day, 2, { pictures: 2 }),
  );

  it("divides by the days since the first picture, those without any among them", () => {
    expect(creditDaysLeft(10, steady, now)).toBe(5);
    expect(creditDaysLeft(10, [spent("2026-02-20", 5, { pictures: 5 })], now)).toBe(20);
  });

  it("rounds down, to nothing when it is less than a day", () => {
    expect(creditDaysLeft(5, steady, now)).toBe(2);
    expect(creditDaysLeft(1, steady, now)).toBe(0);
  });

  it.each([
    ["nothing was spent", 10, []],
    ["all was free", 10, [spent("2026-02-20", 0, { pictures: 20 })]],
    ["there are no credits left", 0, steady],
    ["it is the second day", 10, [spent("2026-02-28", 9, { pictures: 9 })]],
    ["it was a handful of pictures", 10, [spent("2026-02-20", 1, { pictures: 4 })]],
  ])("says nothing when %s", (_, credits, all) => {
    expect(creditDaysLeft(credits, all, now)).toBeUndefined();
  });
});
