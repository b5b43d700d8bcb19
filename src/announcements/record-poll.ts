import { newHandle } from "../store/index.ts";
import { toJobData } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import type { FeedInterval } from "./pace.ts";
import { askAt } from "./push/lease.ts";
import { afterPoll } from "./push/pushed-videos.ts";
import { isHubUsable } from "./push/subscription.ts";
import { type FeedReading, isTitleOld, progressAfter } from "./read-feed.ts";
import {
  type Announcement,
  type Feed,
  type FeedProgress,
  isBroadcastKind,
  isFeedWatched,
  isPlaceOpen,
  placeFor,
  type ReleaseKind,
} from "./record.ts";
import type { SeenRelease } from "./release.ts";
import type { FeedsRoom } from "./room.ts";

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
    const soonest = Math.min(
      progress.nextPollAt ?? now,
      (await announcements.nextLookAt(ref)) ?? Number.POSITIVE_INFINITY,
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
    const options = { feed, now: found.now, videoId, handle: newHandle() };
    if (found.known.has(videoId) || found.awaited.includes(videoId)) {
      const announcement = await announcements.change(ref, videoId, (before) =>
        before?.state === "awaited" ? decide(before, seen, options) : before,
      );
      isNews ||= announcement?.state === "due";
    } else if (isOwn(videoId, feed, found)) {
      met.push(decide(undefined, seen, options));
    }
  }
  await announcements.add(ref, met);
  return isNews || met.some(({ state }) => state === "due");
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

interface DecideOptions {
  readonly feed: Feed;
  readonly now: number;
  /** Handle of the message, if there will be one. */
  readonly handle: string;
  readonly videoId: string;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const longestAbsenceMs = 14 * dayMs;
const processingMs = 5 * minuteMs;
/** A video that is still being processed after this long is announced as the kind that it seems to be. */
const longestProcessingMs = 6 * hourMs;
/** Records of older videos are forgotten; without a record nobody knows whether a video was announced. */
export const forgetReleasesAfterMs = 60 * dayMs;

/**
 * Decides about a video that is not decided yet. Titles play no part in this: a video is read until it is out, and never again.
 */
export function decide(
  before: Announcement | undefined,
  seen: SeenRelease | undefined,
  options: DecideOptions,
): Announcement {
  const { feed, now, videoId, handle } = options;
  const row = { feedId: feed.id, videoId, at: before?.at ?? now };
  if (seen !== undefined && seen.source !== feed.source) return { ...row, state: "skipped" };
  if (seen === undefined || seen.state === "hidden") return lostVideo(row, now);
  const { kind, isLate } = kindIn(feed, seen);
  const { publishedAt } = seen.video;
  const isAwaited = isLate || seen.state !== "out";
  const lookAt = isAwaited ? nextReadAt(seen, row.at, now) : undefined;
  if (lookAt !== undefined) return { ...row, state: "awaited", kind, lookAt };
  const dated = { ...row, kind, publishedAt };
  // YouTube's dates are whole seconds.
  const addedAt = Math.floor(feed.addedAt / 1_000) * 1_000;
  const isOld = publishedAt < Math.max(addedAt, now - forgetReleasesAfterMs);
  // An awaited video comes out now, whatever its date says.
  if (before === undefined && isOld) return { ...dated, state: "known" };
  if (!isPlaceOpen(placeFor(feed.places, kind))) return { ...dated, state: "skipped" };
  const card = { state: "due", handle, since: now } as const;
  return { ...dated, state: "due", card };
}

/**
 * The kind that it is announced as. Where only uploads are announced, a stream or premiere is announced as one, late: when it
 * has ended and has become a video.
 */
export function kindIn(
  { places }: Feed,
  { video, state }: SeenRelease,
): { readonly kind: ReleaseKind; readonly isLate: boolean } {
  const isUpload =
    isBroadcastKind(video.kind) &&
    placeFor(places, video.kind) === undefined &&
    isPlaceOpen(places.upload);
  if (!isUpload) return { kind: video.kind, isLate: false };
  return { kind: "upload", isLate: state === "out" && video.isOver !== true };
}

/** For a video that was deleted or hidden before it came out. It may return, and is asked for less and less often. */
function lostVideo(row: Pick<Announcement, "feedId" | "videoId" | "at">, now: number) {
  const age = now - row.at;
  if (age > longestAbsenceMs) return { ...row, state: "skipped" } as const;
  const lookAt = now + Math.min(dayMs, Math.max(hourMs, age));
  return { ...row, state: "awaited", lookAt } as const;
}

/** When to read the video again; undefined if there is nothing to wait for. */
function nextReadAt(
  { state, startsAt, video }: SeenRelease,
  since: number,
  now: number,
): number | undefined {
  if (state === "out") {
    // A broadcast that has to end first; some go on for months.
    const age = now - video.publishedAt;
    if (age < 6 * hourMs) return now + 10 * minuteMs;
    return now + (age < 2 * dayMs ? hourMs : 6 * hourMs);
  }
  if (state === "processing") {
    return now - since < longestProcessingMs ? now + processingMs : undefined;
  }
  if (startsAt === undefined) return now + dayMs;
  const late = now - startsAt;
  // It may be moved to an earlier time, so it is read once a day in any case.
  if (late < 0) return Math.min(startsAt + 30_000, now + dayMs);
  if (late < 2 * hourMs) return now + 3 * minuteMs;
  if (late < dayMs) return now + hourMs / 2;
  return now + (late < 7 * dayMs ? hourMs * 6 : dayMs);
}
