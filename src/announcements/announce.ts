import { createNonce, type OutgoingMessage, type PostedMessage } from "../channel-messages.ts";
import { BotError } from "../errors.ts";
import type { Job } from "../jobs/index.ts";
import { readFresh } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import { finishMessage, isFinished, needsThread } from "./finish-message.ts";
import { isServiceFailure, readVideos } from "./read-channel.ts";
import {
  type Announcement,
  type Feed,
  type FeedPlace,
  isFeedWatched,
  isPlaceOpen,
  placeFor,
} from "./record.ts";
import type { SeenRelease } from "./release.ts";
import type { FeedsRoom } from "./room.ts";
import { type ClosedPlace, switchPlaceOff } from "./switch-off.ts";

/** At most this many announcements in one run, so that other feeds don't have to wait. */
const maxAtOnce = 25;
/** Between two tries to post or to read what failed. */
const retryMs = 60_000;
const unreadMs = 600_000;

/** Posts a feed's due announcements, the oldest first. */
export function handleAnnounceJobs(room: FeedsRoom): void {
  const { database, feeds, announcements, feedJobs, log } = room;
  const { now } = database;
  const send = createOutbox(room);

  feedJobs.handle("announce", async (ref, { data, signal }) => {
    const stored = await feeds.read(ref);
    if (stored === undefined || !isFeedWatched(stored.feed)) return undefined;
    const all = await announcements.due(ref, now());
    const due = all.slice(0, maxAtOnce);
    if (due.length === 0) return announcements.nextLookAt(ref, "due");
    const unread = due.filter((one) => needsReading(stored.feed, one));
    const seen = await read(ref, unread, { fresh: readFresh(data, now()), signal });
    if (seen === undefined) return now() + unreadMs;
    /** Channels and roles that were already pinged. */
    const pinged = new Set<string>();
    let isBehind = false;
    for (const { videoId } of due) {
      signal.throwIfAborted();
      const sent = await send(ref, { videoId, seen: seen.get(videoId), pinged });
      if (sent === "stopped") return undefined;
      if (sent === "later") isBehind = true;
      if (typeof sent === "object") {
        await switchPlaceOff(room, ref, sent);
        // Perhaps no place is left to announce in.
        await feedJobs.put("poll", ref);
      }
    }
    if (isBehind) return now() + retryMs;
    return all.length > due.length ? now() : announcements.nextLookAt(ref, "due");
  });

  /** Reads the videos that the poll has not just read. Undefined while YouTube can't be asked. */
  async function read(
    { guildId, feedId }: FeedRef,
    due: readonly Announcement[],
    { fresh, signal }: { fresh: ReadonlyMap<string, SeenRelease>; signal: Job["signal"] },
  ): Promise<ReadonlyMap<string, SeenRelease> | undefined> {
    const unread = due.map(({ videoId }) => videoId).filter((id) => !fresh.has(id));
    if (unread.length === 0) return fresh;
    try {
      const read = await readVideos(await room.video(guildId), unread, signal);
      return new Map([...fresh, ...read]);
    } catch (error) {
      if (signal.aborted || !isServiceFailure(error)) throw error;
      const at = { guild: guildId, feed: feedId };
      log.info("what is to be announced could not be read", { ...at, error });
      return undefined;
    }
  }
}

/** A message that is posted needs the video no more, unless its thread is to be named. */
function needsReading({ places }: Feed, { card, kind }: Announcement): boolean {
  if (card?.state !== "posted") return true;
  const place = kind && placeFor(places, kind);
  return place !== undefined && needsThread(card, place);
}

/** One announcement that is due. */
interface DueAnnouncement {
  readonly videoId: string;
  /** The video as it is now; undefined if it can't be read any more. */
  readonly seen: SeenRelease | undefined;
  /** Channels and roles that were just pinged, and are not pinged again. This one is added. */
  readonly pinged: Set<string>;
}

/**
 * `done`: nothing is left to do. `later`: it is still due. `stopped`: the feed is paused, off or gone.
 * Otherwise nothing can be posted in that channel any more.
 */
type SendResult = "done" | "later" | "stopped" | ClosedPlace;

/** For this long another process may still be posting a message. Only after that we look for the message in the channel. */
const doubtfulMs = 120_000;
/** Clocks differ. */
const slackMs = 60_000;

interface SendAttempt {
  readonly feed: Feed;
  readonly seen: SeenRelease;
  readonly announcement: Announcement;
  readonly place: FeedPlace;
  /** It may have been sent before. */
  readonly isDoubtful: boolean;
}

/** A message that is there, and is perhaps to be published or to get a thread. */
type UnfinishedAttempt = Pick<SendAttempt, "announcement" | "place">;

/**
 * Posts announcements, each exactly once. An announcement is marked before it is sent, and has the same nonce in every
 * process. If it may have been sent before, the bot first looks for it among its own messages.
 */
function createOutbox(room: FeedsRoom) {
  const { database, feeds, announcements, channelMessages } = room;
  const { now } = database;
  /** How far an earlier process came is unknown. */
  const processStartedAt = now();

  return async (ref: FeedRef, due: DueAnnouncement): Promise<SendResult> => {
    const attempt = await database.transaction(() => markSending(ref, due));
    if (typeof attempt === "string") return attempt;
    if (!("seen" in attempt)) return finish(ref, attempt, due);
    const { announcement, place, isDoubtful } = attempt;
    const message = messageFor(ref, attempt, due);
    let at: PostedMessage;
    try {
      const since = (announcement.triedAt ?? announcement.at) - slackMs;
      const found = isDoubtful ? await channelMessages.find(message, since) : undefined;
      at = found ?? (await channelMessages.post(message));
    } catch (error) {
      return recordFailure(room, ref, { attempt, error });
    }
    const { channelId, messageId } = at;
    // If this fails, the message is looked for before it is sent again.
    const posted = await database.transaction(async () => {
      const after = await announcements.change(ref, due.videoId, (stored) => {
        if (stored?.card === undefined) return stored;
        const there = { channelId, messageId, state: "posted", since: now() } as const;
        const card = { ...stored.card, ...there };
        return { ...stored, state: isFinished(card, place) ? "done" : "due", card };
      });
      await feeds.changeProgress(ref, (stored) => ({ ...stored, announcedAt: now() }));
      return after;
    });
    due.pinged.add(pingTarget(place));
    return posted?.state === "due" ? finish(ref, { announcement: posted, place }, due) : "done";
  };

  /** Publishes a posted message and opens its thread; what fails for now is tried again later. */
  async function finish(
    ref: FeedRef,
    { announcement: { card }, place }: UnfinishedAttempt,
    { videoId, seen }: DueAnnouncement,
  ): Promise<"done"> {
    if (card === undefined) return "done";
    const after = await finishMessage(room, card, { place, title: seen?.video.title ?? videoId });
    await announcements.change(ref, videoId, (stored) => {
      if (stored === undefined) return stored;
      const state = after.retryAt === undefined ? "done" : "due";
      return { ...stored, state, card: after.card, lookAt: after.retryAt };
    });
    return "done";
  }

  /** Marks it as being sent, by the feed as it is now, because people may have changed the feed. */
  async function markSending(
    ref: FeedRef,
    { videoId, seen }: DueAnnouncement,
  ): Promise<SendAttempt | UnfinishedAttempt | "done" | "later" | "stopped"> {
    const feed = (await feeds.read(ref))?.feed;
    if (feed === undefined || !isFeedWatched(feed)) return "stopped";
    let attempt: SendAttempt | UnfinishedAttempt | "done" | "later" = "done";
    await announcements.change(ref, videoId, (stored) => {
      attempt = "done";
      if (stored?.state !== "due") return stored;
      const { card, kind } = stored;
      const isDoubtful = card?.state === "sending";
      const isUnderWay =
        isDoubtful && card.since >= processStartedAt && now() - card.since <= doubtfulMs;
      if (isUnderWay) {
        attempt = "later";
        return stored;
      }
      const place = kind && placeFor(feed.places, kind);
      if (card?.state === "posted") {
        if (place === undefined || isFinished(card, place)) return { ...stored, state: "done" };
        attempt = { announcement: stored, place };
        return stored;
      }
      if (card === undefined || !isPlaceOpen(place) || seen?.state !== "out") {
        return asSkipped(stored);
      }
      const triedAt = isDoubtful ? (stored.triedAt ?? card.since) : now();
      const sending = { ...card, state: "sending", since: now() } as const;
      const announcement = { ...stored, triedAt, card: sending };
      attempt = { feed, seen, announcement, place, isDoubtful };
      return announcement;
    });
    return attempt;
  }
}

async function recordFailure(
  { database, announcements, log }: FeedsRoom,
  ref: FeedRef,
  { attempt, error }: { readonly attempt: SendAttempt; readonly error: unknown },
): Promise<SendResult> {
  if (!(error instanceof BotError)) throw error;
  const { announcement, place, isDoubtful } = attempt;
  const { videoId } = announcement;
  log.warn("an announcement was not left", { guild: ref.guildId, feed: ref.feedId, error });
  const { code } = error;
  if (code === "discord_channel_gone" || code === "discord_channel_closed") {
    await announcements.change(ref, videoId, (stored) => stored && asSkipped(stored));
    return { code, channelId: place.channelId };
  }
  // A message that may have been posted stays marked, so that it is looked for before it is sent again.
  if (error.outcome === "nothing" && !isDoubtful) {
    await announcements.change(ref, videoId, (stored) => {
      if (stored?.card === undefined) return stored;
      const card = { ...stored.card, state: "due", since: database.now() } as const;
      return { ...stored, triedAt: undefined, card };
    });
  }
  return "later";
}

function asSkipped(stored: Announcement): Announcement {
  return { ...stored, card: undefined, triedAt: undefined, state: "skipped" };
}

function pingTarget({ channelId, roleId }: FeedPlace): string {
  return `${channelId} ${roleId}`;
}

function messageFor(
  { guildId }: FeedRef,
  { feed, seen, announcement, place }: SendAttempt,
  { pinged }: DueAnnouncement,
): OutgoingMessage {
  const { channelId, roleId, isForum, tagIds, locale } = place;
  const { kind, videoId, card } = announcement;
  const handle = card?.handle ?? "";
  // The kind by which the place was chosen.
  const video = { ...seen.video, kind: kind ?? seen.video.kind };
  const pings = roleId !== undefined && !pinged.has(pingTarget(place));
  return {
    guildId,
    channelId,
    handle,
    isForum,
    tagIds,
    locale,
    name: "announcement",
    facts: { guildId, feed, announcement, video },
    nonce: createNonce(feed.id, videoId, handle),
    pingRoleId: pings ? roleId : undefined,
  };
}
