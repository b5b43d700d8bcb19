import type { Spendable } from "../../budget/index.ts";

export const periods = ["today", "7", "30"] as const;
export const groupings = ["day", "command", "person"] as const;

/** What the card and its chart show. */
export interface Shown {
  readonly days: 1 | 7 | 30;
  readonly by: (typeof groupings)[number];
  readonly what: Spendable;
}

/** From which rank on each grouping may be seen. */
export const ranks = { day: "member", command: "moderator", person: "manager" } as const;

export function daysIn(period: (typeof periods)[number]): Shown["days"] {
  return period === "today" ? 1 : period === "7" ? 7 : 30;
}
