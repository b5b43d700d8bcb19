/** Emoji and stickers that people add to their server. */
export interface Expressions {
  /** Whether the person who asks may add one, by this interaction's own permissions. */
  readonly mayAdd: boolean;
  /** Whether this bot may, by the same interaction. */
  readonly botMay: boolean;
  /**
   * Adds it once: an answer that is lost is looked for before anything is repeated. The audit log tells who asked.
   * @throws AccessError `expression_not_allowed`, `expression_permission`; LimitError `emoji_slots`,
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
