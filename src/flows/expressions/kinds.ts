import { type ExpressionKind, limits } from "../../discord/index.ts";

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
