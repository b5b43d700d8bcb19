import { type BilledTo, limitsFor } from "../../budget/index.ts";
import type { GuildSettings } from "../../store/index.ts";
import type { Method } from "../../video/index.ts";
import type { Rank } from "../rank.ts";

/** Deciding about comments, and reading what is to be decided, goes on when others have spent their share of the day. */
const moderationRow: Method = "comments.setModerationStatus";

export interface Billing {
  readonly guildId: string;
  readonly userId: string;
  readonly rank: Rank;
  readonly settings: GuildSettings;
  /** Path of a command, title of a menu, or name of an action. */
  readonly command: string;
  readonly row?: Method | undefined;
  readonly uses?: readonly Method[] | undefined;
  /** Nobody asked for it, like suggestions. */
  readonly isSpare?: true;
}

/** On whose behalf an interaction's calls are counted, and what limits them. */
export function billedToOf(billing: Billing): BilledTo {
  const { guildId, userId, command, row, uses = [], isSpare } = billing;
  const isModerating = row === moderationRow || uses.includes(moderationRow);
  const limits = limitsFor(billing);
  return {
    guildId,
    userId,
    command,
    ...(isModerating && { purpose: "moderation" as const }),
    ...(limits !== undefined && { limits }),
    ...(isSpare && { isSpare }),
  };
}
