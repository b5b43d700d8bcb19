import type { CreditCounts, CreditSpender, CreditsSpent } from "./types.ts";

/** The service charges quarters of a credit; whole thousandths add up without loss. */
const perCredit = 1_000;

export function thousandths(credits: number): number {
  return Math.round(credits * perCredit);
}

export function asCredits(thousandths: number): number {
  return thousandths / perCredit;
}

/** Two counters a person and command; the command comes last because its path has spaces. */
export function differencesOf({ userId, command }: CreditSpender, charged: number): CreditCounts {
  return {
    [`pictures ${userId} ${command}`]: 1,
    [`credits ${userId} ${command}`]: thousandths(charged),
  };
}

/** What one person spent, in thousandths. */
export function sumOfPerson(userId: string, counts: CreditCounts): number {
  const names = Object.keys(counts).filter((name) => name.startsWith(`credits ${userId} `));
  return names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

export function added(some: CreditCounts, more: CreditCounts): CreditCounts {
  const sums = new Map(Object.entries(some));
  for (const [name, amount] of Object.entries(more)) sums.set(name, (sums.get(name) ?? 0) + amount);
  return Object.fromEntries(sums);
}

/** What a day's record tells, as `differencesOf` wrote it; most credits first. */
export function linesOf(day: string, counts: CreditCounts): readonly CreditsSpent[] {
  const lines = Object.entries(counts).flatMap(([name, pictures]) => {
    const [, userId, command] = /^pictures (\S*) (.*)$/s.exec(name) ?? [];
    if (userId === undefined || command === undefined || pictures <= 0) return [];
    const credits = asCredits(counts[`credits ${userId} ${command}`] ?? 0);
    return [{ day, userId, command, credits, pictures }];
  });
  return lines.sort((one, other) => other.credits - one.credits);
}
