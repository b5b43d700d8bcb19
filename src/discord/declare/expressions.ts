import type { BotError } from "../../errors.ts";

/** Emoji and stickers that people add to their server. */
export interface Expressions {
  /** Why the person who asks can't add one now: they may not, the bot may not, or nobody knows. Undefined where they can. */
  refusal(): Promise<BotError | undefined>;
  /**
   * Adds it once: an answer that is lost is looked for before anything is repeated. The audit log tells who asked.
   * @throws as `refusal` says; LimitError `emoji_slots`,
   * `emoji_premium_slots`, `expression_rate`; InputError `expression_too_large`, `expression_refused`; ServiceError
   * `discord_refused`, `discord_down`; NetworkError `discord_lost`, the last two with outcome `unknown`.
   */
  addEmoji(emoji: NewEmoji): Promise<Expression>;
  /** The same, with LimitError `sticker_slots`. */
  addSticker(sticker: NewSticker): Promise<Expression>;
}

export interface NewEmoji {
  /** Letters of ASCII, digits and underscores, as many as `limits.emoji` says. */
  readonly name: string;
  /** A PNG of 128 x 128 pixels, at most `limits.emoji.bytes`. */
  readonly data: Uint8Array;
}

export interface NewSticker {
  readonly name: string;
  /** Empty for none. */
  readonly description: string;
  /** Discord's name of the emoji that suggests it, such as `cat`. */
  readonly tags: string;
  /** A PNG of 320 x 320 pixels, at most `limits.sticker.bytes`. */
  readonly data: Uint8Array;
}

export interface Expression {
  readonly id: string;
  readonly name: string;
}

export type ExpressionKind = "emoji" | "sticker";
