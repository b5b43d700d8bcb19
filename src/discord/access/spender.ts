import type { Method, Spender } from "../../video/index.ts";

/** Deciding about comments, and reading what is to be decided, goes on when others have spent their share of the day. */
const moderationRow: Method = "comments.setModerationStatus";

export interface Spending {
  readonly guildId: string;
  readonly userId: string;
  /** Path of a command, title of a menu, or name of an action. */
  readonly command: string;
  readonly row?: Method | undefined;
  readonly uses?: readonly Method[] | undefined;
}

/** On whose behalf an interaction's calls are counted. */
export function spenderOf({ guildId, userId, command, row, uses = [] }: Spending): Spender {
  const isModerating = row === moderationRow || uses.includes(moderationRow);
  return { guildId, userId, command, ...(isModerating && { purpose: "moderation" }) };
}
