import { type BotError, ConnectError, LimitError } from "../errors.ts";
import type { Job } from "../jobs/index.ts";
import { platformDataMs } from "../store/index.ts";
import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef, StoredFeed } from "./feed-records.ts";
import { createIntervals } from "./pace.ts";
import { isServiceFailure } from "./read.ts";
import { type FeedReading, progressed, readFeed } from "./read-feed.ts";
import { channelGone, type Feed, type FeedProgress, isWatched } from "./record.ts";
import { recordLook } from "./record-look.ts";
import { switchOff, tellUntold } from "./switch-off.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** After which a list and a channel that are not found are believed to be gone, if they still are. */
const missingMs = hourMs;
/** Between two tries without anything to read with; and after which it is told. */
const keylessRetryMs = hourMs / 2;
const keylessMs = 2 * hourMs;
/** Of what the service told and nobody reads again: a day early, as the other titles. */
const titleMs = platformDataMs - 24 * hourMs;

/** Looks at a feed: what is new in its list, what was awaited, what the hub told of. */
export function createLook(deps: FeedWorkDeps) {
  const { database, feeds, random, log } = deps;
  const intervalOf = createIntervals(deps);

  return async function look(ref: FeedRef, { signal }: Pick<Job, "signal">) {
    const stored = await feeds.read(ref);
    if (stored === undefined) return undefined;
    await tellUntold(deps, ref, stored.feed);
    await forgetTitle(ref, stored.feed);
    if (!isWatched(stored.feed)) return rest(ref, stored.feed);
    try {
      const client = await deps.video(ref.guildId);
      const now = database.now();
      const reading = await readFeed(deps, ref, { ...stored, client, signal, now });
      return isGone(reading, stored.progress)
        ? await giveUp(ref, stored.feed)
        : await recordLook(deps, ref, { ...reading, interval: await nextOf(ref, stored, reading) });
    } catch (error) {
      if (signal.aborted || !isServiceFailure(error)) throw error;
      return failed(ref, stored.progress, error);
    }
  };

  async function forgetTitle(ref: FeedRef, { titleReadAt, title, source }: Feed): Promise<void> {
    const readBefore = database.now() - titleMs;
    if (titleReadAt > readBefore || title === source) return;
    await feeds.changeFeed(ref, (stored) =>
      stored === undefined || stored.titleReadAt > readBefore
        ? stored
        : { ...stored, title: source },
    );
  }

  /** Nobody looks at it: the next that is due is to forget its name. */
  async function rest(ref: FeedRef, { title, source, titleReadAt }: Feed) {
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

  async function giveUp(ref: FeedRef, feed: Feed) {
    log.info("a feed's channel is gone", { guild: ref.guildId, feed: ref.feedId });
    await switchOff(deps, ref, channelGone);
    return rest(ref, feed);
  }

  async function nextOf(ref: FeedRef, { progress }: StoredFeed, { listed, now }: FeedReading) {
    if (listed === undefined) return undefined;
    const interval = await intervalOf(ref, progressed(progress, listed, now));
    const { intervalMs } = interval;
    const waitMs = listed.missingSince === undefined ? intervalMs : Math.max(intervalMs, missingMs);
    return { ...interval, nextPollAt: now + Math.round(waitMs * (0.95 + 0.1 * random())) };
  }

  /** When it is worth another try. */
  async function failed(ref: FeedRef, before: FeedProgress, error: BotError): Promise<number> {
    const now = database.now();
    log.info("a feed could not be read", { guild: ref.guildId, feed: ref.feedId, error });
    if (error instanceof LimitError) {
      const back = error.retryAt?.getTime() ?? now + hourMs;
      return later(ref, Math.max(back, now + minuteMs) + Math.round(random() * 10 * minuteMs));
    }
    if (error instanceof ConnectError) {
      const keylessSince = before.keylessSince ?? now;
      if (now - keylessSince >= keylessMs) await switchOff(deps, ref, error.code);
      return later(ref, now + keylessRetryMs, { keylessSince });
    }
    const failures = (before.failures ?? 0) + 1;
    const waitMs = Math.min(hourMs, 2 * minuteMs * 2 ** Math.min(failures, 6));
    return later(ref, now + Math.round(waitMs * (0.8 + 0.4 * random())), { failures });
  }

  async function later(ref: FeedRef, nextPollAt: number, change: FeedProgress = {}) {
    await feeds.changeProgress(ref, (stored) => ({ ...stored, ...change, nextPollAt }));
    return nextPollAt;
  }
}
