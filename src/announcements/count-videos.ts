import { hourMs, minuteMs } from "../clock.ts";
import type { Jobs } from "../jobs/index.ts";
import { pollsADay, slowdownFactor, usualInterval } from "./pace.ts";
import { isServiceFailure, readVideoCounts } from "./read-channel.ts";
import { isFeedWatched, type StoredFeed } from "./record.ts";
import type { FeedsRoom } from "./room.ts";

/** A unit for each 50 channels, every ten minutes: 144 a day. */
const everyMs = 10 * minuteMs;
const channelsOfOneUnit = 50;
/** The part of the polls' units that counting may take, and how long it waits where that is too little. */
const countShare = 0.2;
const restMs = hourMs;
const queue = "feeds.count";

/** Feeds that are polled more seldom than this are counted in between. */
export const countedFromMs = 2 * everyMs;

/** Begins to count the videos of a server's channels, if that is not under way. */
export function countSoon(jobs: Pick<Jobs, "put">, guildId: string, now: number): Promise<void> {
  return jobs.put({ queue, key: guildId, guildId, dueAt: now + everyMs });
}

/**
 * The job that finds channels with new videos where units are too short to read every list as often as one would like: it
 * compares how many videos each channel has, and polls those where the number has changed. YouTube's number may be late, so
 * lists are still read in turn. docs/decisions.md#two-hundred-channels-share-what-polls-may-cost
 */
export function handleCountJobs(room: FeedsRoom): void {
  const { database, feeds, feedJobs, jobs, log } = room;
  const { now } = database;
  const options = { concurrency: 2, perServer: 1, timeoutMs: minuteMs } as const;

  jobs.handle(queue, options, async ({ key: guildId, signal }) => {
    const waiting = (await feeds.allStored(guildId)).filter((stored) => isWaiting(stored, now()));
    if (waiting.length === 0) return undefined;
    try {
      if (!(await areUnitsLeft(guildId, waiting.length))) return now() + restMs;
      const ids = waiting.map(({ feed }) => feed.source);
      const counts = await readVideoCounts(await room.video(guildId), ids, signal);
      for (const { feed, progress } of waiting) {
        const videoCount = counts.get(feed.source);
        if (videoCount === undefined || videoCount === progress.videoCount) continue;
        const ref = { guildId, feedId: feed.id };
        const isNews = progress.videoCount !== undefined;
        await database.transaction(async () => {
          await feeds.changeProgress(ref, (stored) =>
            isNews ? { ...stored, videoCount, nextPollAt: now() } : { ...stored, videoCount },
          );
          if (isNews) await feedJobs.put("poll", ref);
        });
      }
    } catch (error) {
      if (signal.aborted || !isServiceFailure(error)) throw error;
      log.info("videos of channels could not be counted", { guild: guildId, error });
    }
    return now() + everyMs;
  });

  /** Whether counting until the next reset takes only a small part of what polls may take. */
  async function areUnitsLeft(guildId: string, channels: number): Promise<boolean> {
    const units = Math.ceil(channels / channelsOfOneUnit) * pollsADay(everyMs);
    return slowdownFactor(await room.left(guildId), units / countShare, now()) === 1;
  }
}

/** Polled by itself, later than the next count, because units are short. */
function isWaiting({ feed, progress }: StoredFeed, now: number): boolean {
  const { nextPollAt = 0, polledAt = 0, pushUntil = 0, keylessSince, failures } = progress;
  const isSlowed = nextPollAt - polledAt > 1.1 * usualInterval(progress, now);
  return (
    isFeedWatched(feed) &&
    pushUntil <= now &&
    keylessSince === undefined &&
    failures === undefined &&
    isSlowed &&
    nextPollAt - now > everyMs
  );
}
