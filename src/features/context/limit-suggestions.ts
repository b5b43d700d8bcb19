import type { Rank } from "../../discord/index.ts";
import { LimitError } from "../../errors.ts";
import { methods } from "../../video/index.ts";
import type { ServiceClients } from "./clients.ts";
import type { Middleware } from "./middleware.ts";

/** What suggestions are counted under, instead of the command in which somebody types. */
export const suggestionsCommand = "suggestions";

/** The most units a day that suggestions cost: each keystroke may be a call, and nobody asked for a price. */
export const suggestionUnits = {
  guild: 500,
  person: { member: 50, moderator: 200, manager: 200, owner: 200 },
} as const satisfies { readonly guild: number; readonly person: Readonly<Record<Rank, number>> };

/**
 * Calls for suggestions only while what the person's and the server's suggestions cost today, in all processes, is below the
 * limits.
 * @throws LimitError `budget_guild`; ServiceError `store_unavailable`
 */
export function limitSuggestions(
  unitsSpent: ServiceClients["unitsSpent"],
  { guildId, userId, rank }: { guildId: string; userId: string; rank: Rank },
): Middleware {
  return async (call, next) => {
    const { method } = call;
    const { cost } = methods[method];
    const lines = await unitsSpent(guildId, 1);
    const today = lines.filter(({ command }) => command === suggestionsCommand);
    const limits = [
      { of: today, amount: suggestionUnits.guild },
      { of: today.filter((line) => line.userId === userId), amount: suggestionUnits.person[rank] },
    ];
    for (const { of, amount } of limits) {
      const used = of.reduce((total, { spent }) => total + spent, 0);
      if (used + cost <= amount) continue;
      throw new LimitError(`${method}: suggestions cost ${used} of ${amount} units today`, {
        code: "budget_guild",
        facts: { method, bucket: "units", amount, used, left: Math.max(0, amount - used), cost },
      });
    }
    return next(call);
  };
}
