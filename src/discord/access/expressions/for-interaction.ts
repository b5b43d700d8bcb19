import type { Expressions } from "../../declare/expressions.ts";
import type { CreateExpressions, For } from "./create.ts";
import { botMayNot, personMayNot } from "./failure.ts";

/** Who may do what here. */
export interface Rights extends Pick<Expressions, "mayAdd" | "botMay"> {}

/** What one interaction may do about emoji and stickers; its rights are held before anything is sent. */
export function expressionsFor(
  { mayAdd, botMay }: Rights,
  where: For,
  create: CreateExpressions,
): Expressions {
  const requireRights = () => {
    if (!mayAdd) throw personMayNot();
    if (!botMay) throw botMayNot();
  };
  return {
    mayAdd,
    botMay,
    addEmoji: async (emoji) => {
      requireRights();
      return create.emoji(emoji, where);
    },
    addSticker: async (sticker) => {
      requireRights();
      return create.sticker(sticker, where);
    },
  };
}
