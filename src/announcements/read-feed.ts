import { dayMs } from "../clock.ts";
import { BotError } from "../errors.ts";
import type { VideoClient } from "../video/index.ts";
import type { KnownVideo } from "./announcement-records.ts";
import type { FeedRef } from "./feed-records.ts";
import { usualGap } from "./pace.ts";
import { hasLapsed } from "./push/lease.ts";
import { type ListedUpload, readTitle, readUploads, readVideos } from "./read-channel.ts";
import type { Feed, FeedProgress, StoredFeed } from "./record.ts";
import type { SeenRelease } from "./release.ts";
import type { FeedsRoom } from "./room.ts";

/** A channel's list; empty for a channel that exists and has none. */
interface ListedUploads {
  readonly uploads: readonly ListedUpload[];
  /** Since when neither the list nor the channel is found. Milliseconds since the epoch. */
  readonly missingSince: number | undefined;
}

export interface FeedReading {
  readonly now: number;
  /** Undefined if it was too early to read it. */
  readonly listed: ListedUploads | undefined;
  /** What is stored about the listed and the pushed videos. */
  readonly known: ReadonlyMap<string, KnownVideo>;
  /** Ids of the videos that YouTube was asked for: new and pushed ones, and those that were not public and now are. */
  readonly wanted: readonly string[];
  readonly seen: ReadonlyMap<string, SeenRelease>;
  /** Ids of pushed videos. */
  readonly pushed: readonly string[];
  readonly title: string | undefined;
}

interface ReadFeedFrom {
  readonly client: VideoClient;
  readonly signal: AbortSignal;
  readonly now: number;
}

/** Titles may be stored for 30 days: docs/services/youtube.md#stored-data */
const rereadTitleAfterMs = 25 * dayMs;

/** Reads what a poll needs from YouTube, and nothing that is already known. @throws what the client throws */
export async function readFeed(
  { announcements }: FeedsRoom,
  ref: FeedRef,
  { feed, progress, ...from }: StoredFeed & ReadFeedFrom,
): Promise<FeedReading> {
  const { client, signal, now } = from;
  const isDue = now >= (progress.nextPollAt ?? 0) || hasLapsed(progress, now);
  const listed = isDue ? await readList({ feed, progress, ...from }) : undefined;
  const pushed = (progress.pushed ?? []).map(({ id }) => id);
  const uploads = listed?.uploads ?? [];
  const known = await announcements.known(ref, [
    ...uploads.map(({ videoId }) => videoId),
    ...pushed,
  ]);
  const open = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const wanted = new Set([
    ...open.filter((id) => {
      const stored = known.get(id);
      // Awaited without a date: it was not public, and now it is.
      return stored === undefined || (stored.state === "awaited" && stored.look_at === null);
    }),
    ...pushed.filter((id) => !known.has(id) || known.get(id)?.state === "awaited"),
  ]);
  const seen = await readVideos(client, [...wanted], signal);
  const own = [...seen.values()].find(({ source }) => source === feed.source);
  const title =
    own?.video.channelTitle ??
    (isTitleOld(feed, now) ? await readTitle(client, feed.source, signal) : undefined);
  return { now, listed, known, wanted: [...wanted], seen, pushed, title };
}

export function isTitleOld({ titleReadAt }: Pick<Feed, "titleReadAt">, now: number): boolean {
  return now - titleReadAt > rereadTitleAfterMs;
}

/** Error codes for a list that does not exist, or that we may not read. */
const missingCodes: ReadonlySet<string> = new Set([
  "playlist_not_found",
  "playlist_items_not_accessible",
  "playlist_forbidden",
  "not_found",
  "channel_closed",
  "channel_suspended",
]);

/** Empty for a channel that exists and has no list, such as one without public videos. */
async function readList(stored: StoredFeed & ReadFeedFrom): Promise<ListedUploads> {
  const { feed, progress, client, signal, now } = stored;
  try {
    const uploads = await readUploads(client, feed.uploads, signal);
    return { uploads, missingSince: undefined };
  } catch (error) {
    if (!(error instanceof BotError) || !missingCodes.has(error.code)) throw error;
    const title = await readTitle(client, feed.source, signal);
    const missingSince = title === undefined ? (progress.missingSince ?? now) : undefined;
    return { uploads: [], missingSince };
  }
}

/** A feed's progress after its list was read. */
export function progressAfter(
  stored: FeedProgress,
  { uploads, missingSince }: ListedUploads,
  now: number,
): FeedProgress {
  const dates = uploads.flatMap(({ isPublic, publishedAt }) => (isPublic && publishedAt) || []);
  return {
    ...stored,
    polledAt: now,
    missingSince,
    gapMs: usualGap(dates) ?? stored.gapMs,
    newestAt: dates.length > 0 ? Math.max(...dates) : stored.newestAt,
  };
}
