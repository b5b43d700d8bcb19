import { hourMs, minuteMs } from "../../clock.ts";
import { ConnectError, LimitError } from "../../errors.ts";
import { newHandle } from "../../store/index.ts";
import { youtubePages } from "../../video/index.ts";
import { decide } from "../decide.ts";
import { toJobData } from "../feed-jobs.ts";
import { createSlowdown, retryAtOf } from "../pace.ts";
import { isServiceFailure, readVideos } from "../read-channel.ts";
import { type Announcement, type Feed, isFeedWatched } from "../record.ts";
import type { SeenRelease } from "../release.ts";
import type { FeedsRoom } from "../room.ts";
import { lookOffset, nextMoment } from "./look-schedule.ts";
import { settleStream } from "./wanted.ts";

/** What one unit reads: docs/services/youtube.md#ids-of-one-call */
const maxIds = 50;
/** Between two tries after a failure: half of how late the first look is already. */
const retry = { shortestMs: minuteMs, longestMs: 30 * minuteMs } as const;

interface DueLook {
  readonly feedId: string;
  readonly videoId: string;
  readonly lookAt: number;
}

interface LookChange {
  readonly make: (feed: Feed, look: DueLook, at: number) => (before: Announcement) => Announcement;
  /** What was read, so that the jobs that post need not read it again. */
  readonly seen?: ReadonlyMap<string, SeenRelease> | undefined;
}

/** The job that reads a server's awaited and followed videos when they are due, those of all its feeds together. */
export function handleFollowJobs(room: FeedsRoom): void {
  const { database, feeds, announcements, feedJobs, random, log } = room;
  const { now } = database;
  const findSlowdown = createSlowdown(room);

  feedJobs.handleFollow(async (guildId, { signal }) => {
    const watched = new Map(
      (await feeds.all(guildId)).filter(isFeedWatched).map((feed) => [feed.id, feed]),
    );
    const feedIds = [...watched.keys()];
    if (feedIds.length === 0) return undefined;
    const due = await announcements.toRead(guildId, feedIds, now());
    const [first] = due;
    if (first !== undefined) {
      const retryAt = await readAll(guildId, due, signal);
      if (retryAt !== undefined) return Math.min(retryAt, await nextUnread(guildId, watched));
    }
    const next = await announcements.nextLookOfServer(guildId, feedIds);
    return next === undefined ? undefined : Math.max(next, now());
  });

  /** While YouTube can't be asked: when to send the next reminder or update a running event. */
  async function nextUnread(guildId: string, watched: ReadonlyMap<string, Feed>): Promise<number> {
    const at = now();
    const times = (await announcements.followed({ guildId })).map(({ feedId, stream, event }) => {
      const { reminderMs } = watched.get(feedId)?.streams ?? {};
      const momentAt = stream && nextMoment(stream, { now: at, reminderMs });
      const eventAt = event?.state === "made" ? at + retry.longestMs : undefined;
      return Math.min(momentAt ?? Number.POSITIVE_INFINITY, eventAt ?? Number.POSITIVE_INFINITY);
    });
    return Math.min(...times);
  }

  /** Returns when to try again, if YouTube can't be asked. */
  async function readAll(
    guildId: string,
    due: readonly DueLook[],
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { factor, resetsAt } = await findSlowdown(guildId);
    if (factor === undefined) {
      await recordUnread(guildId, due);
      return now() + Math.min(Math.max(resetsAt - now(), minuteMs), hourMs);
    }
    for (let from = 0; from < due.length; from += maxIds) {
      signal.throwIfAborted();
      const looks = due.slice(from, from + maxIds);
      try {
        const client = await room.video(guildId);
        const ids = [...new Set(looks.map(({ videoId }) => videoId))];
        const seen = await readVideos(client, ids, signal);
        await record(guildId, looks, { seen, slowdown: factor });
      } catch (error) {
        if (signal.aborted || !isServiceFailure(error)) throw error;
        log.info("followed videos could not be read", { guild: guildId, error });
        await recordUnread(guildId, due.slice(from));
        return retryAfter(error, Math.min(...looks.map(({ lookAt }) => lookAt)));
      }
    }
    return undefined;
  }

  function retryAfter(error: Error, firstAt: number): number {
    const at = now();
    if (error instanceof LimitError) {
      return Math.max(retryAtOf(error, at), at + minuteMs);
    }
    if (error instanceof ConnectError) return at + retry.longestMs;
    const waitMs = Math.min(retry.longestMs, Math.max(retry.shortestMs, (at - firstAt) / 2));
    return at + Math.round(waitMs * (0.9 + 0.2 * random()));
  }

  /** Records what was read, and starts the jobs that post, in one transaction. */
  function record(
    guildId: string,
    looks: readonly DueLook[],
    {
      seen,
      slowdown,
    }: { readonly seen: ReadonlyMap<string, SeenRelease>; readonly slowdown: number },
  ): Promise<void> {
    const offsetMs = lookOffset(guildId);
    const make: LookChange["make"] = (feed, { videoId, lookAt }, at) => {
      const options = { feed, now: at, videoId, handle: newHandle(), offsetMs, slowdown };
      return (before) => {
        // Another job may have read it since.
        const isDue = before.lookAt === lookAt && before.state !== "due";
        return isDue ? decide(before, seen.get(videoId), options) : before;
      };
    };
    return change(guildId, looks, { make, seen });
  }

  /** People are reminded even while YouTube can't be asked. */
  function recordUnread(guildId: string, looks: readonly DueLook[]): Promise<void> {
    const make: LookChange["make"] =
      (feed, { videoId }, at) =>
      (before) => {
        const view = { feed, now: at, url: youtubePages.video(videoId) };
        const after = before.state === "followed" ? settleStream(before, view) : before;
        return after.state === before.state ? before : after;
      };
    return change(guildId, looks, { make });
  }

  function change(
    guildId: string,
    looks: readonly DueLook[],
    { make, seen }: LookChange,
  ): Promise<void> {
    return database.transaction(async () => {
      // People may have changed the feeds during the request.
      const current = new Map((await feeds.all(guildId)).map((feed) => [feed.id, feed]));
      const news = new Set<string>();
      const at = now();
      for (const look of looks) {
        const feed = current.get(look.feedId);
        if (feed === undefined || !isFeedWatched(feed)) continue;
        const made = make(feed, look, at);
        const after = await announcements.change(
          { guildId, feedId: look.feedId },
          look.videoId,
          (before) => before && made(before),
        );
        if (after?.state === "due" || after?.state === "behind") news.add(look.feedId);
      }
      const data = seen && toJobData(at, seen);
      for (const feedId of news) {
        await feedJobs.put("announce", { guildId, feedId }, { ...(data && { data }) });
      }
    });
  }
}
