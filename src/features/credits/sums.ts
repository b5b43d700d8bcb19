import { type CreditsSpent, lastDays, pacificDate } from "../../budget/index.ts";
import { dayMs } from "../../clock.ts";

export interface CreditSum {
  /** May have fractions. */
  readonly credits: number;
  readonly pictures: number;
}

interface CreditDay extends CreditSum {
  /** `2026-01-31`, the date in Los Angeles. */
  readonly day: string;
}

/** With less than this, the pace is mostly chance. */
const minForPace = { days: 3, pictures: 5 } as const;

/** What was spent on the last `days` days, today included. */
export function recentCredits(
  spent: readonly CreditsSpent[],
  days: number,
  now: number,
): readonly CreditsSpent[] {
  const first = lastDays(now, days).at(-1)?.name ?? "";
  return spent.filter(({ day }) => day >= first);
}

export function sumCredits(spent: readonly CreditSum[]): CreditSum {
  return spent.reduce(
    (all, { credits, pictures }) => ({
      credits: all.credits + credits,
      pictures: all.pictures + pictures,
    }),
    { credits: 0, pictures: 0 },
  );
}

/** Sums by `key`, the largest first. */
export function sumCreditsBy(
  spent: readonly CreditsSpent[],
  key: (one: CreditsSpent) => string,
): readonly (readonly [string, CreditSum])[] {
  return [...Map.groupBy(spent, key)]
    .map(([name, ones]) => [name, sumCredits(ones)] as const)
    .sort(([, a], [, b]) => b.credits - a.credits || b.pictures - a.pictures);
}

/** The last `days` days, oldest first, including days without spending. */
export function dailyCredits(
  spent: readonly CreditsSpent[],
  days: number,
  now: number,
): readonly CreditDay[] {
  const byDay = Map.groupBy(spent, ({ day }) => day);
  return lastDays(now, days)
    .map(({ name: day }) => ({ day, ...sumCredits(byDay.get(day) ?? []) }))
    .reverse();
}

/** How many whole days the credits last at this server's pace; undefined while there is too little to judge by. */
export function creditDaysLeft(
  credits: number,
  spent: readonly CreditsSpent[],
  now: number,
): number | undefined {
  const all = sumCredits(spent);
  const oldest = spent.map(({ day }) => day).sort()[0];
  if (oldest === undefined || all.credits <= 0 || credits <= 0) return undefined;
  const days = (Date.parse(pacificDate(now)) - Date.parse(oldest)) / dayMs + 1;
  if (days < minForPace.days || all.pictures < minForPace.pictures) return undefined;
  return Math.floor(credits / (all.credits / days));
}
