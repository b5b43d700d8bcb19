import { minuteMs } from "../clock.ts";
import type { Job } from "../jobs/index.ts";
import { readFresh } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import { isMutedAt } from "./filter.ts";
import { finishMessage, isFinished, needsThread } from "./finish-message.ts";
import { createOutbox, type Outbox, type SendResult } from "./outbox.ts";
import { isServiceFailure, readVideos } from "./read-channel.ts";
import { type Announcement, type Feed, isFeedWatched, isPlaceOpen, placeFor } from "./record.ts";
import type { SeenRelease } from "./release.ts";
import type { FeedsRoom } from "./room.ts";
import { createStreamKeeper } from "./streams/keep-stream.ts";
import { switchPlaceOff } from "./switch-off.ts";

/** At most this many announcements in one run, so that other feeds don't have to wait. */
const maxAtOnce = 25;
/** Between two tries to post or to read what failed. */
const retryMs = minuteMs;
const unreadMs = 10 * minuteMs;

/** Posts a feed's due announcements, the oldest first, and brings the messages about its streams in step with them. */
export function handleAnnounceJobs(room: FeedsRoom): void {
  const { database, feeds, announcements, feedJobs, log } = room;
  const { now } = database;
  const outbox = createOutbox(room);
  const streams = createStreamKeeper(room, outbox);

  feedJobs.handle("announce", async (ref, { data, signal }) => {
    const stored = await feeds.read(ref);
    if (stored === undefined || !isFeedWatched(stored.feed)) return undefined;
    const all = await announcements.due(ref, now());
    const ready = all.filter((row) => row.state === "due" || streams.isReady(stored.feed, row));
    const due = ready.slice(0, maxAtOnce);
    const nextAt = async (rows: readonly Announcement[]) => {
      const retries = rows.map((row) => streams.retryAt(row)).filter((at) => at !== undefined);
      return earliest(await announcements.nextLookOfFeed(ref, "due"), ...retries);
    };
    if (due.length === 0) return nextAt(all);
    const unread = due.filter((one) => needsReading(stored.feed, one));
    const seen = await read(ref, unread, { fresh: readFresh(data, now()), signal });
    if (seen === undefined && unread.length === due.length) return now() + unreadMs;
    /** Channels and roles that were already pinged. */
    const pinged = new Set<string>();
    let isBehind = seen === undefined;
    for (const row of due) {
      signal.throwIfAborted();
      if (row.state === "due" && seen === undefined) continue;
      const sent =
        row.state === "due"
          ? await sendRelease(room, outbox, ref, {
              videoId: row.videoId,
              seen: seen?.get(row.videoId),
              pinged,
            })
          : await streams.keep(ref, { videoId: row.videoId, pinged, signal });
      if (sent === "stopped") return undefined;
      if (sent === "later") isBehind = true;
      if (typeof sent === "object") {
        await switchPlaceOff(room, ref, sent);
        // Perhaps no place is left to announce in.
        await feedJobs.put("poll", ref);
      }
    }
    if (isBehind) return now() + retryMs;
    if (ready.length > due.length) return now();
    // A video put off in this run has its own time for the next try.
    return nextAt(await announcements.due(ref, now()));
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

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** A stream's record has what its messages say. A message that is posted needs the video no more, unless its thread is to be named. */
function needsReading({ places }: Feed, { state, card, kind }: Announcement): boolean {
  if (state !== "due") return false;
  if (card?.state !== "posted") return true;
  const place = kind && placeFor(places, kind);
  return place !== undefined && needsThread(card, place);
}

/** One announcement that is due. */
interface DueAnnouncement {
  readonly videoId: string;
  /** The video as it is now; undefined if it can't be read any more. */
  readonly seen: SeenRelease | undefined;
  readonly pinged: Set<string>;
}

async function sendRelease(
  room: FeedsRoom,
  outbox: Outbox,
  ref: FeedRef,
  { videoId, seen, pinged }: DueAnnouncement,
): Promise<SendResult> {
  const { feeds, announcements } = room;
  const { guildId } = ref;
  const sent = await outbox.send(ref, {
    videoId,
    slot: "card",
    pinged,
    plan: ({ state, card, kind }, feed) => {
      const place = kind && placeFor(feed.places, kind);
      const isDue = state === "due" && card !== undefined && seen?.state === "out";
      if (isMutedAt(feed, room.database.now())) return undefined;
      if (!isDue || kind === undefined || !isPlaceOpen(place)) return undefined;
      // The kind by which the place was chosen.
      const video = { ...seen.video, kind };
      return {
        place,
        pings: true,
        draw: (announcement) => {
          return { name: "announcement", facts: { guildId, feed, announcement, video } };
        },
      };
    },
    giveUp: (row) => (row.state === "due" ? { ...row, card: undefined, state: "skipped" } : row),
    settle: settleRelease,
  });
  if (sent !== "done") return sent;
  // Publishes the posted message and opens its thread; what fails for now is tried again later.
  const row = await announcements.read(ref, videoId);
  const feed = (await feeds.read(ref))?.feed;
  const place = row?.kind && feed && placeFor(feed.places, row.kind);
  if (row?.state !== "due" || row.card?.state !== "posted") return "done";
  const title = seen?.video.title ?? videoId;
  const after =
    place === undefined
      ? { card: row.card, retryAt: undefined }
      : await finishMessage(room, ref, row.card, { place, title });
  await announcements.change(ref, videoId, (stored) => {
    if (stored === undefined) return stored;
    const state = after.retryAt === undefined ? "done" : "due";
    return { ...stored, state, card: after.card, lookAt: after.retryAt };
  });
  return "done";
}

function settleRelease(row: Announcement, { places }: Feed): Announcement {
  const place = row.kind && placeFor(places, row.kind);
  const isLeft = row.card !== undefined && place !== undefined && !isFinished(row.card, place);
  return { ...row, state: isLeft && row.card?.state === "posted" ? "due" : "done" };
}
