import { type BilledTo, defaultReserve, type SpendingLimits } from "../budget/index.ts";
import type { Config } from "../config.ts";
import type { VideoAccess } from "../discord/index.ts";

/**
 * What limits a person with a credential. Of its own key's project the guild chooses all of it; two that entered the same
 * key share it as they like. Of the project that all linked channels share it has a part, and can keep more of it for
 * moderation, never less.
 */
export function limitsFor(
  access: VideoAccess,
  { limits = {} }: BilledTo,
  { guildDailyUnits }: Pick<Config, "guildDailyUnits">,
): SpendingLimits {
  const { budgets, quota, reserve } = limits;
  if ("key" in access) return { quota, reserve, budgets };
  return {
    isShared: true,
    ...(reserve !== undefined && { reserve: Math.max(reserve, defaultReserve) }),
    ...(guildDailyUnits !== undefined && { guild: { units: guildDailyUnits } }),
    budgets,
  };
}
