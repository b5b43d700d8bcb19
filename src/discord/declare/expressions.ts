import type { BotError } from "../../errors.ts";

/** Emoji and stickers that people add to their server. */
export interface ServerExpressions {
  /** Why the person who asks can't add one now: they may not, the bot may not, or it can't be checked. Undefined where they can. */
  rightsError(): Promise<BotError | undefined>;
  /**
   * Adds it once: after a lost answer it looks for the result before it sends again. The audit log names who asked.
   * @throws as `rightsError` says; LimitError `emoji_slots`,
   * `emoji_premium_slots`, `expression_rate`; InputError `expression_too_large`, `expression_refused`; ServiceError
   * `discord_refused`, `discord_down`; NetworkError `discord_lost`, the last two with outcome `unknown`.
   */
  addEmoji(emoji: NewEmoji): Promise<ServerExpression>;
  /** The same, with LimitError `sticker_slots`. */
  addSticker(sticker: NewSticker): Promise<ServerExpression>;
}

export interface NewEmoji {
  /** ASCII letters, digits and underscores, as many as `limits.emoji` says. */
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

export interface ServerExpression {
  readonly id: string;
  readonly name: string;
}

export type ExpressionKind = "emoji" | "sticker";
