import { type LimitedRank, limitedRanks } from "../../budget/index.ts";
import type { Text, Words } from "../../discord/index.ts";

/** `Each member: 3 credits a day`, for each level; null or undefined is no limit. */
export function creditLimitLines(
  limits: Readonly<Partial<Record<LimitedRank, number | null>>>,
  words: Words,
): readonly Text[] {
  return limitedRanks.map((rank) => {
    const limit = limits[rank] ?? undefined;
    return words.md("budget.line", {
      who: words.say(`choices.rank.${rank}`),
      amounts:
        limit === undefined
          ? words.say("budget.unlimited")
          : words.say("usage.amount", { bucket: "credits", count: limit }),
    });
  });
}
