import {
  type CreditsSpent,
  lastDays,
  type SpendingKind,
  spendingKinds,
} from "../../budget/index.ts";
import type { UnitsSpent } from "../context/index.ts";

export const usagePeriods = ["today", "7", "30"] as const;
export const usageGroupings = ["day", "command", "person"] as const;

/** What the usage card and its chart show. */
export interface UsageView {
  readonly days: 1 | 7 | 30;
  readonly by: (typeof usageGroupings)[number];
  readonly what: SpendingKind;
}

/** The lowest rank that may see each grouping. */
export const groupingRanks = { day: "member", command: "moderator", person: "manager" } as const;

export function daysInPeriod(period: (typeof usagePeriods)[number]): UsageView["days"] {
  return period === "today" ? 1 : period === "7" ? 7 : 30;
}

/** One amount of one kind that one person spent on one day with one command. */
export interface UsageLine {
  /** `2026-01-31`, the date in Los Angeles. */
  readonly day: string;
  readonly kind: SpendingKind;
  /** What was charged: the API key, the linked channels, an earlier key, or remove.bg. */
  readonly of: UnitsSpent["kind"] | "background-key";
  readonly userId: string;
  readonly command: string;
  /** Method of YouTube. */
  readonly method: string;
  readonly amount: number;
}

export type UsageSum = Readonly<Record<SpendingKind, number>>;

const noSum: UsageSum = { units: 0, searches: 0, uploads: 0, credits: 0 };

export function usageLines(
  units: readonly UnitsSpent[],
  credits: readonly CreditsSpent[],
): readonly UsageLine[] {
  return [
    ...units.map(({ day, bucket, kind, userId, command, method, spent }) => {
      return { day, kind: bucket, of: kind, userId, command, method, amount: spent };
    }),
    ...credits
      .filter(({ credits: amount }) => amount > 0)
      .map(({ day, userId, command, credits: amount }) => {
        const of = "background-key" as const;
        return { day, kind: "credits" as const, of, userId, command, method: "removebg", amount };
      }),
  ];
}

/** The dates of the last days, oldest first, in the time zone in which that kind is counted. */
export function datesOfLastDays(count: number, now: number): readonly string[] {
  return lastDays(now, count)
    .map(({ name }) => name)
    .reverse();
}

/** What was spent in the last `days` days, today included. */
export function recentLines(
  lines: readonly UsageLine[],
  days: number,
  now: number,
): readonly UsageLine[] {
  const first = datesOfLastDays(days, now)[0] ?? "";
  return lines.filter(({ day }) => day >= first);
}

export function sumLines(lines: readonly Pick<UsageLine, "kind" | "amount">[]): UsageSum {
  const sum = { ...noSum };
  // Credits come in quarters; rounding to thousandths removes floating-point errors.
  for (const { kind, amount } of lines) {
    sum[kind] = Math.round((sum[kind] + amount) * 1000) / 1000;
  }
  return sum;
}

/** Sums by `key`, the largest amount of `what` first; the other kinds decide ties. */
export function sumLinesBy(
  lines: readonly UsageLine[],
  key: (line: UsageLine) => string,
  what: SpendingKind,
): readonly (readonly [string, UsageSum])[] {
  return [...Map.groupBy(lines, key)]
    .map(([name, some]) => [name, sumLines(some)] as const)
    .sort(([, a], [, b]) => {
      const kind = [what, ...spendingKinds].find((each) => a[each] !== b[each]);
      return kind === undefined ? 0 : b[kind] - a[kind];
    });
}
