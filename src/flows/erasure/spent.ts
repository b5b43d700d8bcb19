import type { Ctx, Text } from "../../discord/index.ts";

/** As long as the store keeps what was spent. */
export const keptDays = 40;

/** What was spent while it is still known, one line a kind. */
export async function spentSums(ctx: Ctx<unknown>): Promise<readonly Text[]> {
  const units = await ctx.unitsSpent(keptDays);
  const credits = await ctx.creditsSpent(keptDays);
  const sums = new Map<string, number>();
  for (const { bucket, spent } of units) sums.set(bucket, (sums.get(bucket) ?? 0) + spent);
  sums.set(
    "credits",
    credits.reduce((sum, one) => sum + one.credits, 0),
  );
  return [...sums]
    .filter(([, count]) => count > 0)
    .map(([bucket, count]) => ctx.words.say("usage.amount", { bucket, count }));
}
