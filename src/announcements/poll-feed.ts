import { backOffMs, dayMs, hourMs, minuteMs } from "../clock.ts";
import { type BotError, ConnectError, LimitError } from "../errors.ts";
import { youtubeDataMs } from "../store/index.ts";
import { countedFromMs, countSoon } from "./count-videos.ts";
import type { FeedRef } from "./feed-records.ts";
import { createIntervals, pushedInterval, retryAtOf } from "./pace.ts";
import { pausePushes } from "./push/unsubscription.ts";
import { isServiceFailure } from "./read-channel.ts";
import { type FeedReading, progressAfter, readFeed } from "./read-feed.ts";
import { channelGoneCode, type Feed, type FeedProgress, isFeedWatched } from "./record.ts";
import { recordPoll } from "./record-poll.ts";
import type { FeedsRoom } from "./room.ts";
import { plannedUnits } from "./streams/price.ts";
import { notifyOfSwitchedOff, switchOff } from "./switch-off.ts";

/** A list and a channel that are not found for this long are believed to be gone. */
const missingMs = hourMs;
/** Between two tries without a key or link, and how long until people are notified. */
const keylessRetryMs = hourMs / 2;
const keylessMs = 2 * hourMs;
/** Between two tries after failures of other kinds. */
const retry = { firstMs: 4 * minuteMs, longestMs: hourMs } as const;
/** How long a title may be stored without being read again: a day less than the limit, as for other titles. */
const forgetTitleAfterMs = youtubeDataMs - dayMs;

/** The job that polls a feed: new videos in its list, and those that the hub has pushed. */
export function handlePollJobs(room: FeedsRoom): void {
  const { database, feeds, random, log } = room;
  const { now } = database;
  const findInterval = createIntervals(room);

  room.feedJobs.handle("poll", async (ref, { signal }) => {
    const stored = await feeds.read(ref);
    if (stored === undefined) return undefined;
    const { feed, progress } = stored;
    await notifyOfSwitchedOff(room, ref, feed);
    await forgetTitle(ref, feed);
    if (!isFeedWatched(feed)) return rest(ref, feed);
    try {
      const client = await room.video(ref.guildId);
      const reading = await readFeed(room, ref, { ...stored, client, signal, now: now() });
      const { missingSince } = progress;
      const isMissing = reading.listed?.missingSince !== undefined && missingSince !== undefined;
      if (isMissing && reading.now - missingSince >= missingMs) {
        log.info("a feed's channel is gone", { guild: ref.guildId, feed: ref.feedId });
        await switchOff(room, ref, { feed, code: channelGoneCode });
        return await rest(ref, feed);
      }
      const interval = await intervalAfter(ref, progress, reading);
      return await recordPoll(room, ref, { ...reading, interval });
    } catch (error) {
      if (signal.aborted || !isServiceFailure(error)) throw error;
      return noteFailure(ref, feed, error);
    }
  });

  async function forgetTitle(ref: FeedRef, { titleReadAt, title, source }: Feed): Promise<void> {
    const readBefore = now() - forgetTitleAfterMs;
    if (titleReadAt > readBefore || title === source) return;
    await feeds.changeFeed(ref, (stored) =>
      stored === undefined || stored.titleReadAt > readBefore
        ? stored
        : { ...stored, title: source },
    );
  }

  /** For a feed that is not polled: the hub need not push, and its title has to be forgotten in time. */
  async function rest(ref: FeedRef, { title, source, titleReadAt }: Feed) {
    await pausePushes(room, ref);
    await feeds.changeProgress(ref, (stored) =>
      stored.project === undefined
        ? stored
        : { ...stored, project: undefined, looksADay: undefined },
    );
    const forgetAt = titleReadAt + forgetTitleAfterMs;
    return title === source || forgetAt <= now() ? undefined : forgetAt;
  }

  async function intervalAfter(
    ref: FeedRef,
    progress: FeedProgress,
    { listed, now: at }: FeedReading,
  ) {
    if (listed === undefined) return undefined;
    const followed = plannedUnits(await room.announcements.followed(ref), ref.guildId, at);
    const interval = await findInterval(ref, progressAfter(progress, listed, at), followed);
    const { intervalMs } = interval;
    const isPushed = (progress.pushUntil ?? 0) > at;
    const rarelyMs = isPushed ? pushedInterval(await feeds.countIn(interval.project)) : 0;
    const missedMs = listed.missingSince === undefined ? 0 : missingMs;
    const waitMs = Math.max(intervalMs, rarelyMs, missedMs);
    if (!isPushed && intervalMs > countedFromMs) await countSoon(room.jobs, ref.guildId, at);
    return { ...interval, nextPollAt: at + Math.round(waitMs * (0.95 + 0.1 * random())) };
  }

  /** When it is worth another try. */
  async function noteFailure(ref: FeedRef, feed: Feed, error: BotError) {
    const at = now();
    log.info("a feed could not be read", { guild: ref.guildId, feed: ref.feedId, error });
    if (error instanceof LimitError) {
      const nextPollAt =
        Math.max(retryAtOf(error, at), at + minuteMs) + Math.round(random() * 10 * minuteMs);
      const after = await feeds.changeProgress(ref, (stored) => ({ ...stored, nextPollAt }));
      return after?.nextPollAt;
    }
    if (error instanceof ConnectError) {
      const after = await feeds.changeProgress(ref, ({ keylessSince = at, ...stored }) => {
        return { ...stored, keylessSince, nextPollAt: at + keylessRetryMs };
      });
      const { keylessSince = at, nextPollAt } = after ?? {};
      await pausePushes(room, ref);
      if (at - keylessSince >= keylessMs) await switchOff(room, ref, { feed, code: error.code });
      return nextPollAt;
    }
    const spread = 0.8 + 0.4 * random();
    const after = await feeds.changeProgress(ref, (stored) => {
      const failures = (stored.failures ?? 0) + 1;
      const waitMs = Math.round(backOffMs(failures, retry) * spread);
      return { ...stored, failures, nextPollAt: at + waitMs };
    });
    return after?.nextPollAt;
  }
}
