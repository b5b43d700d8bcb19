import { type ExpressionKind, limits, type Press } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/index.ts";

interface Form {
  /** Pixels of the square. */
  readonly side: number;
  readonly maxBytes: number;
  /** White rim in pixels, where one is wanted. */
  readonly rim: number;
  /** Whether it has one unless somebody says otherwise. */
  readonly hasRim: boolean;
}

const { emoji, sticker } = limits;

/** A rim of a thirtieth of the side is visible at the size at which Discord draws them. */
const rimOf = (side: number): number => Math.round(side / 30);

export const forms = {
  sticker: { side: sticker.side, maxBytes: sticker.bytes, rim: rimOf(sticker.side), hasRim: true },
  // An emoji is so small that a rim takes more than it gives.
  emoji: { side: emoji.side, maxBytes: emoji.bytes, rim: rimOf(emoji.side), hasRim: false },
} as const satisfies Record<ExpressionKind, Form>;

/** The size of stickers in other messengers, which limit the file too. */
export const large = { side: 512, maxBytes: 512 * 1024, rim: rimOf(512) } as const;

export const otherKind = { sticker: "emoji", emoji: "sticker" } as const satisfies Record<
  ExpressionKind,
  ExpressionKind
>;

/** What is shown, and what buttons start from. */
export interface ExpressionChoice {
  readonly kind: ExpressionKind;
  readonly hasRim: boolean;
  readonly source: CutoutSource;
}

/** Actions make replies, whose buttons start actions: buttons know them by name, so that imports make no circle. */
export const names = {
  show: "expressions.show",
  again: "expressions.again",
  large: "expressions.large",
  name: "expressions.name",
  add: "expressions.add",
} as const;

/** What a button of a reply that shows the picture starts. */
export function pressOf(
  what: Exclude<keyof typeof names, "show">,
  chosen: ExpressionChoice,
): Press {
  return { action: names[what], state: chosen };
}
