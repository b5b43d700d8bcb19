import type { BotError } from "../../../errors.ts";
import type { Expressions } from "../../declare/expressions.ts";
import type { CreateExpressions, For } from "./create.ts";
import { botMayNot, personMayNot } from "./failure.ts";

/** Who may do what in the server. */
export interface Rights {
  /** As far as is known. */
  readonly personMay: () => boolean;
  /** Why that may be too little. */
  readonly permissionsUnread: () => BotError | undefined;
  readonly learnRoles: () => Promise<void>;
  readonly botMay: boolean;
}

/** What one interaction may do about emoji and stickers; its rights are held before anything is sent. */
export function expressionsFor(rights: Rights, where: For, create: CreateExpressions): Expressions {
  async function refusal(): Promise<BotError | undefined> {
    if (!rights.personMay()) await rights.learnRoles();
    if (!rights.personMay()) return rights.permissionsUnread() ?? personMayNot();
    return rights.botMay ? undefined : botMayNot();
  }
  async function requireRights(): Promise<void> {
    const refused = await refusal();
    if (refused !== undefined) throw refused;
  }
  return {
    refusal,
    addEmoji: async (emoji) => {
      await requireRights();
      return create.emoji(emoji, where);
    },
    addSticker: async (sticker) => {
      await requireRights();
      return create.sticker(sticker, where);
    },
  };
}
