import { newHandle } from "../store/index.ts";
import type { FeedWorkDeps } from "./deps.ts";
import { asJobData } from "./feed-jobs.ts";
import type { FeedRef } from "./feed-records.ts";
import { judge, keptMs } from "./judge.ts";
import type { FeedInterval } from "./pace.ts";
import { askAt } from "./push/lease.ts";
import { afterLook } from "./push/pushed.ts";
import { type FeedReading, isTitleOld, progressed } from "./read-feed.ts";
import { type Announcement, type Feed, type FeedProgress, isWatched } from "./record.ts";

interface LookResult extends FeedReading {
  /** Where the list was read: how soon again, in milliseconds, and at whose cost. */
  readonly interval: (FeedInterval & { readonly nextPollAt: number }) | undefined;
}

const dayMs = 24 * 3_600_000;
const soonestMs = 1_000;

/**
 * Writes what a look found, and puts the job that announces what is new, all or nothing. Answers when the next look is
 * due; undefined where nobody wants to hear of the channel any more.
 */
export function recordLook(
  deps: FeedWorkDeps,
  ref: FeedRef,
  found: LookResult,
): Promise<number | undefined> {
  const { database, feeds, announcements, feedJobs, isHubUsable } = deps;
  const { now, listed } = found;
  return database.transaction(async () => {
    // People may have changed their minds while the service was asked.
    const stored = await feeds.read(ref);
    if (stored === undefined || !isWatched(stored.feed)) return undefined;
    const isNews = await decide(deps, stored.feed, { ref, found });
    const isForgetting = listed !== undefined && now - (stored.progress.forgottenAt ?? 0) > dayMs;
    if (isForgetting) {
      const ids = listed.uploads.map(({ videoId }) => videoId);
      await announcements.forget(ref, now - keptMs, ids);
    }
    let lookInMs: number | undefined;
    const progress = await feeds.changeProgress(ref, (before) => {
      const after = progressOf(before, isForgetting ? now : before.forgottenAt, found);
      lookInMs = after.lookInMs;
      return after.progress;
    });
    if (renamed(stored.feed, found) !== stored.feed) {
      await feeds.changeFeed(ref, (feed) => feed && renamed(feed, found));
    }
    if (isNews) await feedJobs.put("announce", ref, { data: asJobData(now, found.seen) });
    if (progress === undefined) return undefined;
    if (isHubUsable && progress.missingSince === undefined && askAt(progress, now) <= now) {
      await feedJobs.put("subscribe", ref);
    }
    const soonest = Math.min(
      progress.nextPollAt ?? now,
      (await announcements.nextLookAt(ref)) ?? Number.POSITIVE_INFINITY,
      now + (lookInMs ?? Number.POSITIVE_INFINITY),
    );
    return Math.max(soonest, now + soonestMs);
  });
}

/** Answers whether anything is to be announced. */
async function decide(
  { announcements }: FeedWorkDeps,
  feed: Feed,
  { ref, found }: { readonly ref: FeedRef; readonly found: LookResult },
): Promise<boolean> {
  const met: Announcement[] = [...hidden(feed, found)];
  let isNews = false;
  for (const videoId of found.wanted) {
    const seen = found.seen.get(videoId);
    const judging = { feed, now: found.now, videoId, handle: newHandle() };
    if (found.known.has(videoId) || found.awaited.includes(videoId)) {
      const announcement = await announcements.change(ref, videoId, (before) =>
        before?.state === "awaited" ? judge(before, seen, judging) : before,
      );
      isNews ||= announcement?.state === "due";
    } else if (isOwn(videoId, feed, found)) {
      met.push(judge(undefined, seen, judging));
    }
  }
  await announcements.add(ref, met);
  return isNews || met.some(({ state }) => state === "due");
}

/** The hub, or a list, may tell of somebody else's; what only the hub knows may be a slip of its own. */
function isOwn(videoId: string, { source }: Feed, { seen, pushed }: LookResult): boolean {
  const video = seen.get(videoId);
  return video === undefined ? !pushed.includes(videoId) : video.source === source;
}

/** What is listed and not yet for everybody: a linked channel's own list has them. They cost nothing until then. */
function hidden({ id }: Feed, { listed, known, now }: LookResult): readonly Announcement[] {
  return (listed?.uploads ?? [])
    .filter(({ isPublic, videoId }) => !isPublic && !known.has(videoId))
    .map(({ videoId }) => ({ feedId: id, videoId, state: "awaited", at: now }));
}

function progressOf(
  before: FeedProgress,
  forgottenAt: number | undefined,
  { wanted, seen, known, pushed, listed, now, interval }: LookResult,
) {
  const { keylessSince: _, failures: _failures, ...rest } = before;
  const { intervalMs: _ms, ...paid } = interval ?? {};
  const unread = wanted.filter((id) => !seen.has(id) && !known.has(id));
  const after = {
    ...{ ...(listed === undefined ? rest : progressed(rest, listed, now)), ...paid },
    ...(forgottenAt !== undefined && { forgottenAt }),
  };
  return afterLook(after, { looked: pushed, unread }, now);
}

/** It has a key or a link again, and perhaps another name. */
function renamed(feed: Feed, found: Pick<LookResult, "title" | "now">): Feed {
  const { off, ...rest } = feed;
  const title = found.title || feed.title;
  const isRead = title !== feed.title || (found.title && isTitleOld(feed, found.now));
  if (off === undefined && !isRead) return feed;
  return { ...rest, title, ...(isRead && { titleReadAt: found.now }) };
}
