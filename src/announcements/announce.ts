import type { Job } from "../jobs/index.ts";
import { readFresh } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import { createOutbox } from "./outbox.ts";
import { isServiceFailure, readVideos } from "./read-channel.ts";
import { type Announcement, isFeedWatched } from "./record.ts";
import type { SeenRelease } from "./release.ts";
import type { FeedsRoom } from "./room.ts";
import { switchPlaceOff } from "./switch-off.ts";

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
    const all = await announcements.due(ref);
    const due = all.slice(0, maxAtOnce);
    if (due.length === 0) return undefined;
    const seen = await read(ref, due, { fresh: readFresh(data, now()), signal });
    if (seen === undefined) return now() + unreadMs;
    const isBehind = await sendAll(ref, due, { seen, signal });
    if (isBehind === "stopped") return undefined;
    if (isBehind) return now() + retryMs;
    return all.length > due.length ? now() : undefined;
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

  /** Returns whether some are still due; `stopped` once the feed is paused, off or gone. */
  async function sendAll(
    ref: FeedRef,
    due: readonly Announcement[],
    { seen, signal }: { seen: ReadonlyMap<string, SeenRelease>; signal: Job["signal"] },
  ): Promise<boolean | "stopped"> {
    /** Channels and roles that were already pinged. */
    const pinged = new Set<string>();
    let isBehind = false;
    for (const { videoId } of due) {
      signal.throwIfAborted();
      const sent = await send(ref, { videoId, seen: seen.get(videoId), pinged });
      if (sent === "stopped") return "stopped";
      if (sent === "later") isBehind = true;
      if (typeof sent === "object") {
        await switchPlaceOff(room, ref, sent);
        // Perhaps no place is left to announce in.
        await feedJobs.put("poll", ref);
      }
    }
    return isBehind;
  }
}
