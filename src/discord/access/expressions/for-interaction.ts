import type { BotError } from "../../../errors.ts";
import type { Expressions } from "../../declare/expressions.ts";
import type { MemberAccess } from "../roles/judge-member.ts";
import type { CreateExpressions, For } from "./create.ts";
import { botMayNot, personMayNot } from "./failure.ts";
import { mayMakeExpressions } from "./may.ts";

/** Who may do what in the server: the person as far as is known, the bot as the interaction says. */
export interface Rights extends Pick<MemberAccess, "permissions" | "permissionsUnread"> {
  readonly learnRoles: () => Promise<void>;
  readonly appPermissions: string | undefined;
}

/** What one interaction may do about emoji and stickers; its rights are held before anything is sent. */
export function expressionsFor(rights: Rights, where: For, create: CreateExpressions): Expressions {
  async function refusal(): Promise<BotError | undefined> {
    if (!mayMakeExpressions(rights.permissions)) await rights.learnRoles();
    if (!mayMakeExpressions(rights.permissions)) return rights.permissionsUnread ?? personMayNot();
    // The bot's own roles are not told; Discord itself judges what is sent (docs/decisions.md).
    const botMay = mayMakeExpressions(BigInt(rights.appPermissions ?? 0));
    return botMay ? undefined : botMayNot();
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
