import type { CreditCounts, CreditSpender, CreditsSpent } from "./types.ts";

/** The service charges quarters of a credit; whole thousandths add up without loss. */
const perCredit = 1_000;

/** Two counters a person and command; the command comes last because its path has spaces. */
export function differencesOf({ userId, command }: CreditSpender, charged: number): CreditCounts {
  return {
    [`pictures ${userId} ${command}`]: 1,
    [`credits ${userId} ${command}`]: Math.round(charged * perCredit),
  };
}

/** What a day's record tells, as `differencesOf` wrote it; most credits first. */
export function linesOf(day: string, counts: CreditCounts): readonly CreditsSpent[] {
  const lines = Object.entries(counts).flatMap(([name, pictures]) => {
    const [, userId, command] = /^pictures (\S*) (.*)$/s.exec(name) ?? [];
    if (userId === undefined || command === undefined || pictures <= 0) return [];
    const credits = (counts[`credits ${userId} ${command}`] ?? 0) / perCredit;
    return [{ day, userId, command, credits, pictures }];
  });
  return lines.sort((one, other) => other.credits - one.credits);
}
