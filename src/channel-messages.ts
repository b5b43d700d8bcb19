import { createHash } from "node:crypto";

/**
 * The name of each notification, and the facts that its message is made from. Each room that sends notifications adds its
 * own with `declare module`, next to the types it owns. A command declares how the message looks.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the rooms, so that this file needs none of them.
export interface NotificationFacts {}

export type NotificationName = keyof NotificationFacts;

/** Something that people are notified of. */
export type Notification<N extends NotificationName = NotificationName> = {
  readonly [K in N]: { readonly name: K; readonly facts: NotificationFacts[K] };
}[N];

/** Messages that the bot posts in channels by itself, and later finds, edits and removes. */
export interface ChannelMessages {
  /**
   * Posts a message in a channel; in a forum, a post of its own. Sent twice within some minutes with the same nonce and
   * channel, it is one message. A forum has no such guard, so look with `find` first.
   * @throws AccessError `discord_channel_gone` or `discord_channel_closed` where that is final, `discord_channel_public`
   * where it is confidential and everyone can read the channel, `discord_message_gone`
   * where the message of that nonce was posted and somebody has removed it since; ServiceError and NetworkError where it
   * may pass, and LimitError `discord_limit` with `retryAt` where Discord asks to wait for longer than a minute, all with
   * `outcome` `unknown` where the message may have been posted.
   */
  post(message: OutgoingMessage): Promise<PostedMessage>;
  /**
   * Replaces a posted message. Discord lets one that was published be changed about three times an hour.
   * @throws as `post`; AccessError `discord_message_gone`.
   */
  edit(place: PostedMessage, message: OutgoingMessage): Promise<void>;
  /** Takes the buttons off a posted message, and says why in a line above it: the title of that notification. @throws as `edit`. */
  close(place: PostedMessage, why: Notification): Promise<void>;
  /** Does nothing if the message is already gone. @throws as `post`. */
  remove(place: PostedMessage): Promise<void>;
  /** The bot's own message whose buttons have that handle, among those posted in the channel since then. @throws as `post`. */
  find(message: MessageSearch, sinceMs: number): Promise<PostedMessage | undefined>;
}

/** The same, with what only announcements need. */
export interface PublishableMessages extends ChannelMessages {
  /**
   * Publishes a posted message of an announcement channel to the channels that follow it; done if it already is. @throws as
   * `post`; AccessError `discord_message_gone`; InputError `discord_not_publishable` where the channel is of another kind;
   * LimitError `discord_publish_limit` with `retryAt`: Discord allows ten an hour in a channel.
   */
  publish(place: PostedMessage): Promise<void>;
  /**
   * Opens a thread of that name under a posted message; done if it has one, and for a post of a forum, which is one. The name is
   * cut at 100 characters. @throws as `post`; AccessError `discord_message_gone` or `discord_threads_forbidden`.
   */
  openThread(place: PostedMessage, name: string): Promise<void>;
}

export interface MessageSearch {
  readonly guildId: string;
  readonly channelId: string;
  readonly isForum?: boolean | undefined;
  readonly handle: string;
}

/** A notification that is to be posted in a channel. */
export type OutgoingMessage = Notification &
  MessageSearch & {
    /** From `createNonce`: the same for the same message, whichever process sends it. */
    readonly nonce: string;
    /** Pinged once, when the message first appears. */
    readonly pingRoleId?: string | undefined;
    /** Its language, such as `fr`; the server's when absent. */
    readonly locale?: string | undefined;
    /** In a forum: ids of tags that the post gets besides those of its notification. */
    readonly tagIds?: readonly string[] | undefined;
    /** Not posted where everyone in the server can read it. */
    readonly isConfidential?: boolean | undefined;
  };

/** A message that was posted. */
export interface PostedMessage {
  /** In a forum, the post. */
  readonly channelId: string;
  readonly messageId: string;
  /** For a new post: some of the tags in `tagIds` no longer exist, or the bot may not use them. */
  readonly lacksTags?: true | undefined;
}

/** docs/services/discord.md#messages */
const nonceChars = 25;

/** The same words make the same nonce, so that a message that is sent twice arrives once. */
export function createNonce(...words: readonly string[]): string {
  return createHash("sha256").update(words.join(":")).digest("base64url").slice(0, nonceChars);
}
