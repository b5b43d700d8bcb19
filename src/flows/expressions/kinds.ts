import { type ExpressionKind, limits, type Press } from "../../discord/index.ts";
import type { CutoutSource } from "../cutout/source.ts";

interface Form {
  /** Pixels of the square. */
  readonly side: number;
  readonly maxBytes: number;
  /** White rim in pixels, where one is wanted. */
  readonly rim: number;
  /** Whether it has one as long as nobody says otherwise. */
  readonly hasRim: boolean;
}

const { emoji, sticker } = limits;

/** A thirtieth of the side shows at the size that Discord draws them. */
const rimOf = (side: number): number => Math.round(side / 30);

export const forms = {
  sticker: { side: sticker.side, maxBytes: sticker.bytes, rim: rimOf(sticker.side), hasRim: true },
  // So small that a rim takes more than it gives.
  emoji: { side: emoji.side, maxBytes: emoji.bytes, rim: rimOf(emoji.side), hasRim: false },
} as const satisfies Record<ExpressionKind, Form>;

/** What messengers ask of a sticker; they bound the file alike. */
export const large = { side: 512, maxBytes: 512 * 1024, rim: rimOf(512) } as const;

export const otherKind = { sticker: "emoji", emoji: "sticker" } as const satisfies Record<
  ExpressionKind,
  ExpressionKind
>;

/** What is shown, and what buttons start from. */
export interface Chosen {
  readonly kind: ExpressionKind;
  readonly hasRim: boolean;
  readonly source: CutoutSource;
}

/** The actions by their names, because replies offer them and they make replies. */
export const names = {
  show: "expressions.show",
  again: "expressions.again",
  large: "expressions.large",
  name: "expressions.name",
  add: "expressions.add",
} as const;

/** What hangs on the buttons of a reply that shows the picture. */
export function pressOf(what: Exclude<keyof typeof names, "show">, chosen: Chosen): Press {
  return { action: names[what], state: chosen };
}
