import type {
  ChannelMessages,
  NotificationName,
  OutgoingMessage,
  PostedMessage,
} from "../../../src/channel-messages.ts";
import { AccessError, NetworkError } from "../../../src/errors.ts";

/** A message in its current version. */
export interface RecordedMessage extends PostedMessage {
  readonly message: OutgoingMessage;
  readonly postedAt: number;
  readonly edits: number;
  readonly isForum: boolean;
  /** Why its buttons were removed. */
  readonly closedBy?: NotificationName;
}

type Act = "post" | "edit" | "close" | "remove" | "find";

export interface RecordedMessages extends ChannelMessages {
  /** Existing messages, oldest first. */
  readonly messages: readonly RecordedMessage[];
  /** Messages that show that notification. */
  of(name: NotificationName): readonly RecordedMessage[];
  /** How often each act was called. */
  readonly calls: Readonly<Record<Act, number>>;
  /** Called before each act; if it throws, the act fails with that error. */
  before: (act: Act, message: OutgoingMessage | undefined) => Promise<void> | void;
  /** Removes a message as a person would. */
  takeAway(messageId: string): void;
}

/** Of several messages with the same nonce within this time, Discord makes only one. */
const nonceMs = 5 * 60_000;

export function createRecordedMessages(now: () => number): RecordedMessages {
  const messages: RecordedMessage[] = [];
  const calls = { post: 0, edit: 0, close: 0, remove: 0, find: 0 };
  let count = 0;

  const discord: RecordedMessages = {
    messages,
    calls,
    of: (name) => messages.filter(({ message }) => message.name === name),
    before: () => {},
    takeAway: (messageId) => drop(messageId),
    async post(message) {
      calls.post += 1;
      await discord.before("post", message);
      const { channelId, nonce, isForum = false } = message;
      const same = messages.find(
        (one) =>
          !isForum &&
          one.message.channelId === channelId &&
          one.message.nonce === nonce &&
          now() - one.postedAt < nonceMs,
      );
      if (same !== undefined) return same;
      count += 1;
      const messageId = String(700_000_000_000_000_000n + BigInt(count));
      const place = { channelId: isForum ? messageId : channelId, messageId };
      messages.push({ ...place, message, postedAt: now(), edits: 0, isForum });
      return place;
    },
    async edit(place, message) {
      calls.edit += 1;
      await discord.before("edit", message);
      const at = messages.findIndex(({ messageId }) => messageId === place.messageId);
      const standing = messages[at];
      if (standing === undefined) {
        throw messageGone();
      }
      messages[at] = { ...standing, message, edits: standing.edits + 1 };
    },
    async close(place, why) {
      calls.close += 1;
      await discord.before("close", undefined);
      const at = messages.findIndex(({ messageId }) => messageId === place.messageId);
      const standing = messages[at];
      if (standing === undefined) throw messageGone();
      messages[at] = { ...standing, closedBy: why.name };
    },
    async remove(place) {
      calls.remove += 1;
      await discord.before("remove", undefined);
      drop(place.messageId);
    },
    async find({ channelId, handle }, sinceMs) {
      calls.find += 1;
      await discord.before("find", undefined);
      return messages.find(
        ({ message, postedAt }) =>
          message.channelId === channelId && message.handle === handle && postedAt >= sinceMs,
      );
    },
  };
  return discord;

  function drop(messageId: string): void {
    const at = messages.findIndex((one) => one.messageId === messageId);
    if (at >= 0) messages.splice(at, 1);
  }
}

export function channelClosed(): AccessError {
  return new AccessError("closed", { code: "discord_channel_closed" });
}

export function messageGone(): AccessError {
  return new AccessError("gone", { code: "discord_message_gone" });
}

/** The request was sent, and its outcome is unknown. */
export function cutOff(): NetworkError {
  return new NetworkError("cut", { code: "cut", outcome: "unknown" });
}
