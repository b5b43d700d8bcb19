import { type ExpressionKind, limits, type Press } from "../../discord/index.ts";
import type { SquareOptions } from "../../images/index.ts";
import type { CutoutSource } from "../cutout/index.ts";

interface ExpressionForm extends Required<Pick<SquareOptions, "side" | "maxBytes" | "rim">> {
  /** Whether it has a rim by default. */
  readonly hasRim: boolean;
}

const { emoji, sticker } = limits;

/** A rim of a thirtieth of the side is visible at the size at which Discord draws them. */
const rimWidth = (side: number): number => Math.round(side / 30);

export const expressionForms = {
  sticker: {
    side: sticker.side,
    maxBytes: sticker.bytes,
    rim: rimWidth(sticker.side),
    hasRim: true,
  },
  // An emoji is so small that a rim takes too much of it.
  emoji: { side: emoji.side, maxBytes: emoji.bytes, rim: rimWidth(emoji.side), hasRim: false },
} as const satisfies Record<ExpressionKind, ExpressionForm>;

/** The size of stickers in other messengers, which also limit the bytes. */
export const largeSticker = { side: 512, maxBytes: 512 * 1024, rim: rimWidth(512) } as const;

export const otherKind = { sticker: "emoji", emoji: "sticker" } as const satisfies Record<
  ExpressionKind,
  ExpressionKind
>;

/** What the reply shows. The states of its buttons store it. */
export interface ExpressionChoice {
  readonly kind: ExpressionKind;
  readonly hasRim: boolean;
  readonly source: CutoutSource;
}

/** Actions draw these buttons, so the buttons refer to actions by name: imports must not form a circle. */
export const expressionActionNames = {
  show: "expressions.show",
  again: "expressions.again",
  large: "expressions.large",
  name: "expressions.name",
  add: "expressions.add",
} as const;

/** What a button below the picture starts. */
export function pressExpression(
  what: Exclude<keyof typeof expressionActionNames, "show">,
  chosen: ExpressionChoice,
): Press {
  return { action: expressionActionNames[what], state: chosen };
}
