import type { CreditsSpent } from "../../budget/index.ts";

export interface CreditSum {
  /** May have fractions. */
  readonly credits: number;
  readonly pictures: number;
}

interface CreditDay extends CreditSum {
  /** UTC day, `2026-01-31`. */
  readonly day: string;
}

const dayMs = 24 * 3_600_000;

/** With less than this, the pace is mostly chance. */
const minForPace = { days: 3, pictures: 5 } as const;

/** What was spent on the last `days` UTC days, today included. */
export function recentCredits(
  spent: readonly CreditsSpent[],
  days: number,
  now: number,
): readonly CreditsSpent[] {
  const first = dayOf(now - (days - 1) * dayMs);
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

/** The last `days` UTC days, oldest first, including days without spending. */
export function dailyCredits(
  spent: readonly CreditsSpent[],
  days: number,
  now: number,
): readonly CreditDay[] {
  const byDay = Map.groupBy(spent, ({ day }) => day);
  return Array.from({ length: days }, (_, at) => {
    const day = dayOf(now - (days - 1 - at) * dayMs);
    return { day, ...sumCredits(byDay.get(day) ?? []) };
  });
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
  const days = (Date.parse(dayOf(now)) - Date.parse(oldest)) / dayMs + 1;
  if (days < minForPace.days || all.pictures < minForPace.pictures) return undefined;
  return Math.floor(credits / (all.credits / days));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
