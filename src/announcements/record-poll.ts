import { dayMs } from "../clock.ts";
import { newHandle } from "../store/index.ts";
import { decide } from "./decide.ts";
import { toJobData } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import { forgetReleasesAfterMs } from "./filter.ts";
import type { FeedInterval } from "./pace.ts";
import { askAt } from "./push/lease.ts";
import { afterPoll } from "./push/pushed-videos.ts";
import { isHubUsable } from "./push/subscription.ts";
import { type FeedReading, isTitleOld, progressAfter } from "./read-feed.ts";
import { type Announcement, type Feed, type FeedProgress, isFeedWatched } from "./record.ts";
import type { FeedsRoom } from "./room.ts";
import { lookOffset } from "./streams/look-schedule.ts";

interface PollResult extends FeedReading {
  /** If the list was read: when it is read next, and at whose cost. */
  readonly interval: (FeedInterval & { readonly nextPollAt: number }) | undefined;
}

const soonestMs = 1_000;

/**
 * Records what a poll found, and starts the job that announces it, in one transaction. Returns when the next poll is due;
 * undefined if the feed is paused, off or gone.
 */
export function recordPoll(
  room: FeedsRoom,
  ref: FeedRef,
  found: PollResult,
): Promise<number | undefined> {
  const { database, feeds, announcements, feedJobs, hub } = room;
  const { now, listed } = found;
  return database.transaction(async () => {
    // People may have changed the feed during the requests.
    const stored = await feeds.read(ref);
    if (stored === undefined || !isFeedWatched(stored.feed)) return undefined;
    const isNews = await decideAll(room, stored.feed, { ref, found });
    const isForgetting = listed !== undefined && now - (stored.progress.forgottenAt ?? 0) > dayMs;
    if (isForgetting) {
      const ids = listed.uploads.map(({ videoId }) => videoId);
      await announcements.forget(ref, now - forgetReleasesAfterMs, ids);
    }
    let pollInMs: number | undefined;
    const progress = await feeds.changeProgress(ref, (before) => {
      const after = progressWith(before, isForgetting ? now : before.forgottenAt, found);
      pollInMs = after.pollInMs;
      return after.progress;
    });
    if (withTitle(stored.feed, found) !== stored.feed) {
      await feeds.changeFeed(ref, (feed) => feed && withTitle(feed, found));
    }
    if (isNews) await feedJobs.put("announce", ref, { data: toJobData(now, found.seen) });
    if (progress === undefined) return undefined;
    if (isHubUsable(hub) && progress.missingSince === undefined && askAt(progress, now) <= now) {
      await feedJobs.put("subscribe", ref);
    }
    const lookAt = await announcements.nextLookOfFeed(ref);
    if (lookAt !== undefined) await feedJobs.follow(ref.guildId, lookAt);
    const soonest = Math.min(
      progress.nextPollAt ?? now,
      now + (pollInMs ?? Number.POSITIVE_INFINITY),
    );
    return Math.max(soonest, now + soonestMs);
  });
}

/** Decides about each video; returns whether there is anything to announce. */
async function decideAll(
  { announcements }: FeedsRoom,
  feed: Feed,
  { ref, found }: { readonly ref: FeedRef; readonly found: PollResult },
): Promise<boolean> {
  // Videos that are listed but not public yet, as in a linked channel's own list. They cost nothing until they are public.
  const met: Announcement[] = (found.listed?.uploads ?? [])
    .filter(({ isPublic, videoId }) => !isPublic && !found.known.has(videoId))
    .map(({ videoId }) => ({ feedId: feed.id, videoId, state: "awaited", at: found.now }));
  let isNews = false;
  for (const videoId of found.wanted) {
    const seen = found.seen.get(videoId);
    const offsetMs = lookOffset(ref.guildId);
    const options = { feed, now: found.now, videoId, handle: newHandle(), offsetMs };
    if (found.known.has(videoId)) {
      const announcement = await announcements.change(ref, videoId, (before) =>
        before?.state === "awaited" ? decide(before, seen, options) : before,
      );
      isNews ||= isNewsState(announcement?.state);
    } else if (isOwn(videoId, feed, found)) {
      met.push(decide(undefined, seen, options));
    }
  }
  await announcements.add(ref, met);
  return isNews || met.some(({ state }) => isNewsState(state));
}

function isNewsState(state: Announcement["state"] | undefined): boolean {
  return state === "due" || state === "behind";
}

/** Whether it is this channel's: the hub or a list may name another channel's video, or the hub one that does not exist. */
function isOwn(videoId: string, { source }: Feed, { seen, pushed }: PollResult): boolean {
  const video = seen.get(videoId);
  return video === undefined ? !pushed.includes(videoId) : video.source === source;
}

function progressWith(
  before: FeedProgress,
  forgottenAt: number | undefined,
  { wanted, seen, known, pushed, listed, now, interval }: PollResult,
) {
  const { intervalMs: _ms, ...paid } = interval ?? {};
  const unread = wanted.filter((id) => !seen.has(id) && !known.has(id));
  const after = {
    ...(listed === undefined ? before : progressAfter(before, listed, now)),
    ...paid,
    keylessSince: undefined,
    failures: undefined,
    forgottenAt,
  };
  return afterPoll(after, { read: pushed, unread }, now);
}

/** The feed can be read again, and its channel may have another name. */
function withTitle(feed: Feed, found: Pick<PollResult, "title" | "now">): Feed {
  const title = found.title || feed.title;
  const isRead = title !== feed.title || (found.title && isTitleOld(feed, found.now));
  if (feed.off === undefined && !isRead) return feed;
  return { ...feed, off: undefined, title, titleReadAt: isRead ? found.now : feed.titleReadAt };
}
