import { backOffMs } from "../clock.ts";
import { type BotError, ConnectError, LimitError } from "../errors.ts";
import type { Job } from "../jobs/index.ts";
import { platformDataMs } from "../store/index.ts";
import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef } from "./feed-records.ts";
import { createIntervals } from "./pace.ts";
import { pausePushes } from "./push/unsubscription.ts";
import { isServiceFailure } from "./read-channel.ts";
import { type FeedReading, progressAfter, readFeed } from "./read-feed.ts";
import { channelGoneCode, type Feed, type FeedProgress, isFeedWatched } from "./record.ts";
import { recordLook } from "./record-look.ts";
import { notifyOfSwitchedOff, switchOff } from "./switch-off.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A list and a channel that are not found for this long are believed to be gone. */
const missingMs = hourMs;
/** Between two tries without a key or link, and how long until people are notified. */
const keylessRetryMs = hourMs / 2;
const keylessMs = 2 * hourMs;
/** Between two tries after failures of other kinds. */
const retry = { firstMs: 4 * minuteMs, longestMs: hourMs } as const;
/** How long a title may be stored without being read again: a day less than the limit, as for other titles. */
const titleMs = platformDataMs - 24 * hourMs;

interface LookDeps extends FeedWorkDeps {
  readonly intervalOf: ReturnType<typeof createIntervals>;
}

/** The job that looks at a feed: at new videos in its list, at awaited videos, and at those that the hub has pushed. */
export function createLook(workDeps: FeedWorkDeps) {
  const deps: LookDeps = { ...workDeps, intervalOf: createIntervals(workDeps) };

  return async function look(ref: FeedRef, { signal }: Pick<Job, "signal">) {
    const stored = await deps.feeds.read(ref);
    if (stored === undefined) return undefined;
    const { feed, progress } = stored;
    await notifyOfSwitchedOff(deps, ref, feed);
    await forgetTitle(deps, ref, feed);
    if (!isFeedWatched(feed)) return rest(deps, ref, feed);
    try {
      const client = await deps.video(ref.guildId);
      const now = deps.database.now();
      const reading = await readFeed(deps, ref, { ...stored, client, signal, now });
      if (isGone(reading, progress)) return await giveUp(deps, ref, feed);
      const interval = await nextOf(deps, ref, { progress, reading });
      return await recordLook(deps, ref, { ...reading, interval });
    } catch (error) {
      if (signal.aborted || !isServiceFailure(error)) throw error;
      return noteFailure(deps, ref, { feed, error });
    }
  };
}

async function forgetTitle(
  { database, feeds }: LookDeps,
  ref: FeedRef,
  { titleReadAt, title, source }: Feed,
): Promise<void> {
  const readBefore = database.now() - titleMs;
  if (titleReadAt > readBefore || title === source) return;
  await feeds.changeFeed(ref, (stored) =>
    stored === undefined || stored.titleReadAt > readBefore ? stored : { ...stored, title: source },
  );
}

/** For a feed that is not looked at: the hub need not push, and its title has to be forgotten in time. */
async function rest(deps: LookDeps, ref: FeedRef, { title, source, titleReadAt }: Feed) {
  const { database, feeds } = deps;
  await pausePushes(deps, ref);
  await feeds.changeProgress(ref, (stored) => {
    if (stored.project === undefined) return stored;
    const { project: _, looksADay: _looks, ...progress } = stored;
    return progress;
  });
  const forgetAt = titleReadAt + titleMs;
  return title === source || forgetAt <= database.now() ? undefined : forgetAt;
}

function isGone({ listed, now }: FeedReading, progress: FeedProgress): boolean {
  if (listed?.missingSince === undefined || progress.missingSince === undefined) return false;
  return now - progress.missingSince >= missingMs;
}

async function giveUp(deps: LookDeps, ref: FeedRef, feed: Feed) {
  deps.log.info("a feed's channel is gone", { guild: ref.guildId, feed: ref.feedId });
  await switchOff(deps, ref, { feed, code: channelGoneCode });
  return rest(deps, ref, feed);
}

async function nextOf(
  { intervalOf, random }: LookDeps,
  ref: FeedRef,
  {
    progress,
    reading: { listed, now },
  }: { readonly progress: FeedProgress; readonly reading: FeedReading },
) {
  if (listed === undefined) return undefined;
  const interval = await intervalOf(ref, progressAfter(progress, listed, now));
  const { intervalMs } = interval;
  const waitMs = listed.missingSince === undefined ? intervalMs : Math.max(intervalMs, missingMs);
  return { ...interval, nextPollAt: now + Math.round(waitMs * (0.95 + 0.1 * random())) };
}

/** When it is worth another try. */
async function noteFailure(
  deps: LookDeps,
  ref: FeedRef,
  { feed, error }: { readonly feed: Feed; readonly error: BotError },
): Promise<number | undefined> {
  const { database, feeds, random, log } = deps;
  const now = database.now();
  log.info("a feed could not be read", { guild: ref.guildId, feed: ref.feedId, error });
  if (error instanceof LimitError) {
    const back = error.retryAt?.getTime() ?? now + hourMs;
    const nextPollAt = Math.max(back, now + minuteMs) + Math.round(random() * 10 * minuteMs);
    const after = await feeds.changeProgress(ref, (stored) => ({ ...stored, nextPollAt }));
    return after?.nextPollAt;
  }
  if (error instanceof ConnectError) {
    const after = await feeds.changeProgress(ref, ({ keylessSince = now, ...stored }) => {
      return { ...stored, keylessSince, nextPollAt: now + keylessRetryMs };
    });
    const { keylessSince = now, nextPollAt } = after ?? {};
    await pausePushes(deps, ref);
    if (now - keylessSince >= keylessMs) await switchOff(deps, ref, { feed, code: error.code });
    return nextPollAt;
  }
  const spread = 0.8 + 0.4 * random();
  const after = await feeds.changeProgress(ref, (stored) => {
    const failures = (stored.failures ?? 0) + 1;
    const waitMs = Math.round(backOffMs(failures, retry) * spread);
    return { ...stored, failures, nextPollAt: now + waitMs };
  });
  return after?.nextPollAt;
}
