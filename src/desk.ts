import { createHash } from "node:crypto";

/** What rooms that speak unasked need of the chat platform: messages that they leave, find again and change. */
export interface Desk {
  /**
   * Draws the event of that name and leaves it in a channel; in a forum as a post of its own. With the same nonce and
   * channel twice within some minutes it is one message; a forum has no such guard, so look with `find` first.
   * @throws AccessError `discord_channel_gone` or `discord_channel_closed` where it is final, `discord_message_gone` where
   * the message of that nonce was left and somebody has removed it since; ServiceError and NetworkError where it may pass,
   * with `outcome` `unknown` where it may have been left.
   */
  post(message: DeskMessage): Promise<DeskPlace>;
  /** Draws it anew. @throws as `post`; AccessError `discord_message_gone`. */
  edit(place: DeskPlace, message: DeskMessage): Promise<void>;
  /** Does nothing where it is gone already. @throws as `post`. */
  remove(place: DeskPlace): Promise<void>;
  /** The bot's own message with buttons of that handle, among those left in the channel since then. @throws as `post`. */
  find(message: DeskSearch, sinceMs: number): Promise<DeskPlace | undefined>;
}

export interface DeskSearch {
  readonly guildId: string;
  readonly channelId: string;
  readonly isForum?: boolean | undefined;
  readonly handle: string;
}

export interface DeskMessage extends DeskSearch {
  /** Name of the declared event that draws it, and what it draws. */
  readonly event: string;
  readonly facts: unknown;
  /** As `nonceOf` makes it: the same message has the same one, whichever process sends it. */
  readonly nonce: string;
  /** Called once, with the message's first appearance. */
  readonly pingRoleId?: string | undefined;
}

export interface DeskPlace {
  /** Of a forum the post. */
  readonly channelId: string;
  readonly messageId: string;
}

/** facts/discord.md: Limits. */
const nonceChars = 25;

/** The same words make the same nonce, so that a message that is sent twice arrives once. */
export function nonceOf(...words: readonly string[]): string {
  return createHash("sha256").update(words.join(":")).digest("base64url").slice(0, nonceChars);
}
