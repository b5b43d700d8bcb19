import { dayMs } from "../clock.ts";
import type { Feed, FeedFilter } from "./record.ts";
import type { ReleasedVideo } from "./release.ts";
import type { FollowedStream } from "./streams/stream-record.ts";

/** Whether a feed with that filter announces the video, as the kind that it is announced as. */
export function passesFilter(filter: FeedFilter | undefined, video: ReleasedVideo): boolean {
  if (filter === undefined) return true;
  const { titleContains, minSeconds, categoryIds, hasNoShorts } = filter;
  const { kind, seconds, categoryId } = video;
  if (hasNoShorts === true && kind === "short") return false;
  // A stream has no length beforehand, and one that is over is not announced by its length either.
  const isShorter = kind !== "live" && seconds !== undefined && seconds < (minSeconds ?? 0);
  if (isShorter) return false;
  if (categoryIds !== undefined && !categoryIds.includes(categoryId ?? "")) return false;
  const title = folded(video.title);
  return (
    titleContains === undefined || titleContains.some((words) => title.includes(folded(words)))
  );
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Whether what came out then is never announced, because the feed is or was muted. */
export function isMutedAt({ mutedUntil }: Pick<Feed, "mutedUntil">, cameOutAt: number): boolean {
  return mutedUntil !== undefined && cameOutAt < mutedUntil;
}

/** Videos that came out longer ago are not announced, so their records may be deleted. */
export const forgetReleasesAfterMs = 60 * dayMs;

/** Videos from before this time are not announced: they are older than the feed, or came out too long ago. */
export function newsSince({ addedAt }: Pick<Feed, "addedAt">, now: number): number {
  return Math.max(wholeSeconds(addedAt), now - forgetReleasesAfterMs);
}

/** Rounds down to whole seconds, as YouTube's dates are, so that the two can be compared. */
export function wholeSeconds(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

/** Whether a new message about a stream may be posted now. */
export function mayTellOf(
  { stage, lost, startedAt, readAt, isSilent }: FollowedStream,
  feed: Feed,
  now: number,
): boolean {
  if (lost !== undefined || isSilent || isMutedAt(feed, now)) return false;
  if (stage === "scheduled") return true;
  return (startedAt ?? readAt) >= newsSince(feed, now);
}
