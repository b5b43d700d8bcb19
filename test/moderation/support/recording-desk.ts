import type { Desk, DeskMessage, DeskPlace } from "../../../src/desk.ts";
import { AccessError, NetworkError } from "../../../src/errors.ts";

/** A message as it stands. */
export interface Standing extends DeskPlace {
  readonly message: DeskMessage;
  readonly postedAt: number;
  readonly edits: number;
  /** By whom it was left, where several desks share a wall. */
  readonly isForum: boolean;
}

type Act = "post" | "edit" | "remove" | "find";

export interface RecordingDesk extends Desk {
  /** Messages that are there, in the order in which they came. */
  readonly messages: readonly Standing[];
  /** Of one event. */
  of(event: string): readonly Standing[];
  /** How often each was called. */
  readonly calls: Readonly<Record<Act, number>>;
  /** Called before each act; what it throws is the answer. */
  before: (act: Act, message: DeskMessage | undefined) => Promise<void> | void;
  /** Somebody removes a message. */
  takeAway(messageId: string): void;
}

/** Within it the same nonce is the same message. */
const nonceMs = 5 * 60_000;

export function createRecordingDesk(now: () => number): RecordingDesk {
  const messages: Standing[] = [];
  const calls = { post: 0, edit: 0, remove: 0, find: 0 };
  let count = 0;

  const desk: RecordingDesk = {
    ...{ messages, calls },
    of: (event) => messages.filter(({ message }) => message.event === event),
    before: () => {},
    takeAway: (messageId) => drop(messageId),
    async post(message) {
      calls.post += 1;
      await desk.before("post", message);
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
      await desk.before("edit", message);
      const at = messages.findIndex(({ messageId }) => messageId === place.messageId);
      const standing = messages[at];
      if (standing === undefined) {
        throw messageGone();
      }
      messages[at] = { ...standing, message, edits: standing.edits + 1 };
    },
    async remove(place) {
      calls.remove += 1;
      await desk.before("remove", undefined);
      drop(place.messageId);
    },
    async find({ channelId, handle }, sinceMs) {
      calls.find += 1;
      await desk.before("find", undefined);
      return messages.find(
        ({ message, postedAt }) =>
          message.channelId === channelId && message.handle === handle && postedAt >= sinceMs,
      );
    },
  };
  return desk;

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

/** The request left, and nobody knows what became of it. */
export function cutOff(): NetworkError {
  return new NetworkError("cut", { code: "cut", outcome: "unknown" });
}
