import {
  createNonce,
  type Notification,
  type OutgoingMessage,
  type PostedMessage,
} from "../channel-messages.ts";
import { minuteMs } from "../clock.ts";
import { BotError } from "../errors.ts";
import { newHandle } from "../store/index.ts";
import type { FeedRef } from "./feed-records.ts";
import { noteTrouble } from "./finish-message.ts";
import {
  type Announcement,
  type AnnouncementMessage,
  type Feed,
  type FeedPlace,
  isFeedWatched,
} from "./record.ts";
import type { FeedsRoom } from "./room.ts";
import type { MessageSlot } from "./streams/stream-record.ts";
import { messageIn, withMessage } from "./streams/wanted.ts";
import type { ClosedPlace } from "./switch-off.ts";

/**
 * `done`: nothing is left to do. `later`: it is still due. `stopped`: the feed is paused, off or gone.
 * Otherwise nothing can be posted in that channel any more.
 */
export type SendResult = "done" | "later" | "stopped" | ClosedPlace;

/** For this long another process may still be posting a message. Only after that we look for the message in the channel. */
const doubtfulMs = 2 * minuteMs;
/** Clocks differ. */
const slackMs = minuteMs;

/** How one message is to be sent. */
export interface SendPlan {
  readonly place: FeedPlace;
  /** Where, if not in the place itself. */
  readonly channelId?: string | undefined;
  readonly pings: boolean;
  readonly draw: (row: Announcement, handle: string) => Notification;
  /** Of a stream's message: what it says. */
  readonly as?: AnnouncementMessage["as"];
  readonly shown?: string | undefined;
}

interface SendOptions {
  readonly videoId: string;
  readonly slot: MessageSlot;
  /** How to send it with the feed's current settings; undefined if it should no longer be sent. */
  readonly plan: (row: Announcement, feed: Feed) => SendPlan | undefined;
  /** The row without what can't be sent. */
  readonly giveUp: (row: Announcement) => Announcement;
  /** The row after the message was posted, or was put back. */
  readonly settle: (row: Announcement, feed: Feed) => Announcement;
  /** Channels and roles that were just pinged, and are not pinged again. This one is added. */
  readonly pinged: Set<string>;
}

interface SendAttempt {
  readonly feed: Feed;
  readonly plan: SendPlan;
  readonly row: Announcement;
  readonly message: AnnouncementMessage;
  /** An earlier try, if it may have been sent before. */
  readonly tried: AnnouncementMessage | undefined;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Posts messages about videos, each exactly once. A message is marked before it is sent, and has the same nonce in every
 * process. If it may have been sent before, the bot first looks for it among its own messages.
 */
export function createOutbox(room: FeedsRoom) {
  const { database, feeds, announcements, channelMessages, log } = room;
  const { now } = database;
  /** How far an earlier process came is unknown. */
  const processStartedAt = now();

  function isUnderWay({ state, since }: AnnouncementMessage): boolean {
    return state === "sending" && since >= processStartedAt && now() - since <= doubtfulMs;
  }

  async function send(ref: FeedRef, options: SendOptions): Promise<SendResult> {
    const attempt = await database.transaction(() => markSending(ref, options));
    if (typeof attempt === "string") return attempt;
    const { plan, tried, row, feed } = attempt;
    const outgoing = outgoingMessage(ref, attempt, options);
    // Records of earlier versions do not say where.
    const { channelId: here } = outgoing;
    let at: PostedMessage;
    let isFound = false;
    try {
      const found = tried && (await find(ref, row, { channelId: here, ...tried }));
      isFound = found !== undefined;
      at = found ?? (await channelMessages.post(outgoing));
    } catch (error) {
      return recordFailure(ref, { attempt, options, error });
    }
    const { channelId, messageId } = at;
    // If this fails, the message is looked for before it is sent again.
    await database.transaction(async () => {
      await announcements.change(ref, options.videoId, (stored) => {
        const before = stored && messageIn(stored, options.slot);
        if (stored === undefined || before === undefined) return stored;
        const posted: AnnouncementMessage = {
          ...before,
          channelId,
          messageId,
          state: "posted",
          since: now(),
          // One that was found may say what was true before.
          as: isFound ? before.as : plan.as,
          shown: isFound ? undefined : plan.shown,
        };
        return options.settle(withMessage(stored, options.slot, posted), feed);
      });
      await feeds.changeProgress(ref, (stored) => ({ ...stored, announcedAt: now() }));
    });
    if (outgoing.isForum === true && outgoing.tagIds !== undefined && !isFound) {
      const code = at.lacksTags ? "tags_left_out" : undefined;
      await noteTrouble(room, ref, { channelId: here, what: "tagIds", code });
    }
    if (outgoing.pingRoleId !== undefined) options.pinged.add(pingTarget(plan.place));
    return "done";
  }

  /** Removes a message that was posted, or that may have been. @throws what `ChannelMessages.remove` and `find` throw */
  async function takeBack(
    ref: FeedRef,
    row: Announcement,
    message: AnnouncementMessage,
  ): Promise<"done" | "later"> {
    if (isUnderWay(message)) return "later";
    if (message.state === "due") return "done";
    const { channelId, messageId } = message;
    const isThere = channelId !== undefined && messageId !== undefined;
    const at = isThere ? { channelId, messageId } : await find(ref, row, message);
    if (at !== undefined) await channelMessages.remove(at);
    return "done";
  }

  /** Looks for a message where it was last sent to. */
  async function find({ guildId }: FeedRef, row: Announcement, message: AnnouncementMessage) {
    const { forumId, handle, triedAt, since } = message;
    const channelId = forumId ?? message.channelId;
    if (channelId === undefined) return undefined;
    const search = {
      guildId,
      channelId,
      isForum: forumId === undefined ? undefined : true,
      handle,
    };
    return channelMessages.find(search, (triedAt ?? row.triedAt ?? since) - slackMs);
  }

  /** Marks it as being sent, by the feed as it is now, because people may have changed the feed. */
  async function markSending(
    ref: FeedRef,
    { videoId, slot, plan: planOf, giveUp }: SendOptions,
  ): Promise<SendAttempt | "done" | "later" | "stopped"> {
    const feed = (await feeds.read(ref))?.feed;
    if (feed === undefined || !isFeedWatched(feed)) return "stopped";
    let attempt: SendAttempt | "done" | "later" = "done";
    await announcements.change(ref, videoId, (stored) => {
      attempt = "done";
      if (stored === undefined) return stored;
      const before = messageIn(stored, slot);
      if (before?.state === "posted" || before?.state === "gone") return stored;
      if (before !== undefined && isUnderWay(before)) {
        attempt = "later";
        return stored;
      }
      const plan = planOf(stored, feed);
      if (plan === undefined) return giveUp(stored);
      const isDoubtful = before?.state === "sending";
      const triedAt = isDoubtful ? (before.triedAt ?? stored.triedAt ?? before.since) : now();
      const channelId = plan.channelId ?? plan.place.channelId;
      const isForum = plan.channelId === undefined && plan.place.isForum === true;
      const message: AnnouncementMessage = {
        ...before,
        handle: before?.handle ?? newHandle(),
        as: isDoubtful ? before.as : plan.as,
        state: "sending",
        since: now(),
        triedAt,
        channelId,
        forumId: isForum ? channelId : undefined,
      };
      const row = withMessage(stored, slot, message);
      attempt = { feed, plan, row, message, tried: isDoubtful ? before : undefined };
      return row;
    });
    return attempt;
  }

  async function recordFailure(
    ref: FeedRef,
    failed: {
      readonly attempt: SendAttempt;
      readonly options: SendOptions;
      readonly error: unknown;
    },
  ): Promise<SendResult> {
    const { attempt, options, error } = failed;
    if (!(error instanceof BotError)) throw error;
    const { feed, plan, tried } = attempt;
    const { videoId, slot, giveUp, settle } = options;
    log.warn("an announcement was not posted", { guild: ref.guildId, feed: ref.feedId, error });
    const { code } = error;
    const change = (make: (stored: Announcement) => Announcement) =>
      announcements.change(ref, videoId, (stored) => stored && make(stored));
    if (code === "discord_channel_gone" && plan.channelId !== undefined) {
      // The forum may be there: people have deleted the post that the stream's messages are in.
      await change(({ card, ...stored }) =>
        settle(
          withMessage({ ...stored, card: card && { ...card, state: "gone" } }, slot, undefined),
          feed,
        ),
      );
      return "done";
    }
    if (code === "discord_channel_gone" || code === "discord_channel_closed") {
      await change(giveUp);
      return { code, channelId: plan.place.channelId };
    }
    if (code === "discord_message_gone") {
      await change((stored) => {
        const message = messageIn(stored, slot);
        return message === undefined
          ? stored
          : settle(withMessage(stored, slot, { ...message, state: "gone" }), feed);
      });
      return "done";
    }
    // A message that may have been posted stays marked, so that it is looked for before it is sent again.
    if (error.outcome === "nothing" && tried === undefined) {
      await change((stored) => {
        const message = messageIn(stored, slot);
        if (message === undefined) return stored;
        const due = { ...message, triedAt: undefined, state: "due", since: now() } as const;
        return withMessage(stored, slot, due);
      });
    }
    return "later";
  }

  return { send, takeBack };
}

function pingTarget({ channelId, roleId }: FeedPlace): string {
  return `${channelId} ${roleId}`;
}

function outgoingMessage(
  { guildId }: FeedRef,
  { feed, plan, row, message: { handle } }: SendAttempt,
  { videoId, pinged }: SendOptions,
): OutgoingMessage {
  const { place, draw, channelId } = plan;
  const isForum = channelId === undefined ? place.isForum : undefined;
  const pings = plan.pings && place.roleId !== undefined && !pinged.has(pingTarget(place));
  return {
    ...draw(row, handle),
    guildId,
    channelId: channelId ?? place.channelId,
    handle,
    isForum,
    tagIds: channelId === undefined ? place.tagIds : undefined,
    locale: place.locale,
    nonce: createNonce(feed.id, videoId, handle),
    pingRoleId: pings ? place.roleId : undefined,
  };
}
