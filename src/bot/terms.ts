import type { Config } from "../config.ts";
import type { Clients, VideoAccess } from "../discord/index.ts";
import { defaultReserve, type Terms } from "../video/index.ts";

type Payer = Parameters<Clients["left"]>[1];

/**
 * What limits a payer. Of its own key's project the guild chooses all of it; two that entered the same key share it as
 * they like. Of the project that all linked channels share it has a part, and can keep more of it for moderation, never
 * less.
 */
export function termsOf(
  access: VideoAccess,
  { purse, isSpare }: Payer,
  { guildDailyUnits }: Pick<Config, "guildDailyUnits">,
): Terms {
  const { budgets, quota, reserve } = purse ?? {};
  if ("key" in access) return { limits: quota, reserve, budgets, isSpare };
  return {
    isShared: true,
    ...(reserve !== undefined && { reserve: Math.max(reserve, defaultReserve) }),
    ...(guildDailyUnits !== undefined && { guild: { units: guildDailyUnits } }),
    budgets,
    isSpare,
  };
}
