import type { VideoClient } from "../video/index.ts";
import type { KnownVideo } from "./announcement-records.ts";
import type { FeedWorkDeps } from "./deps.ts";
import type { FeedRef, StoredFeed } from "./feed-records.ts";
import { gapOf } from "./pace.ts";
import { hasLapsed } from "./push/lease.ts";
import { isMissing, readTitle, readUploads, readVideos, type Upload } from "./read.ts";
import type { Feed, FeedProgress } from "./record.ts";
import type { Seen } from "./release.ts";

/** What a channel's list told; empty for a channel that is there and has none. */
export interface Listed {
  readonly uploads: readonly Upload[];
  /** Since when neither the list nor the channel are found. Milliseconds since the epoch. */
  readonly missingSince: number | undefined;
}

export interface FeedReading {
  readonly now: number;
  /** Undefined where it was too early to read it. */
  readonly listed: Listed | undefined;
  /** Of what is listed, and of what the hub told, those that were met before. */
  readonly known: ReadonlyMap<string, KnownVideo>;
  /** Ids of awaited videos whose time has come. */
  readonly awaited: readonly string[];
  /** Ids of the videos that the service was asked for: those that are new, awaited, or that the hub told of. */
  readonly wanted: readonly string[];
  readonly seen: ReadonlyMap<string, Seen>;
  /** Which the hub told of. */
  readonly pushed: readonly string[];
  readonly title: string | undefined;
}

interface From {
  readonly client: VideoClient;
  readonly signal: AbortSignal;
  readonly now: number;
}

/** YouTube's titles may be stored for 30 days without being read again (docs/decisions.md). */
const titleMs = 25 * 24 * 3_600_000;

/** Asks the service for what a look needs, and for nothing that is known. @throws what the client throws */
export async function readFeed(
  { announcements }: FeedWorkDeps,
  ref: FeedRef,
  { feed, progress, ...from }: StoredFeed & From,
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
  const isNew = (id: string) => known.get(id) === undefined;
  const isAwaited = (id: string) => known.get(id)?.state === "awaited";
  // Awaited without a date: it was not for everybody, and now it is.
  const isOut = (id: string) => isAwaited(id) && known.get(id)?.look_at === null;
  const open = uploads.filter(({ isPublic }) => isPublic).map(({ videoId }) => videoId);
  const awaited = await announcements.awaited(ref, now);
  const wanted = new Set([
    ...open.filter((id) => isNew(id) || isOut(id)),
    ...awaited,
    ...pushed.filter((id) => isNew(id) || isAwaited(id)),
  ]);
  const seen = await readVideos(client, [...wanted], signal);
  const own = [...seen.values()].find(({ source }) => source === feed.source);
  const told = own?.video.channelTitle;
  const isOld = isTitleOld(feed, now);
  const title = told ?? (isOld ? await readTitle(client, feed.source, signal) : undefined);
  return { now, listed, known, awaited, wanted: [...wanted], seen, pushed, title };
}

export function isTitleOld({ titleReadAt }: Pick<Feed, "titleReadAt">, now: number): boolean {
  return now - titleReadAt > titleMs;
}

/** Empty for a channel that is there and has no list, as one without a public video. */
async function readList(stored: StoredFeed & From): Promise<Listed> {
  const { feed, progress, client, signal, now } = stored;
  try {
    const uploads = await readUploads(client, feed.uploads, signal);
    return { uploads, missingSince: undefined };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const title = await readTitle(client, feed.source, signal);
    const missingSince = title === undefined ? (progress.missingSince ?? now) : undefined;
    return { uploads: [], missingSince };
  }
}

/** How far a feed is after its list was read; the same where it was not due. */
export function progressed(
  stored: FeedProgress,
  { uploads, missingSince }: Listed,
  now: number,
): FeedProgress {
  const { missingSince: _, ...rest } = stored;
  const dates = uploads.flatMap(({ isPublic, publishedAt }) => (isPublic && publishedAt) || []);
  const gapMs = gapOf(dates);
  return {
    ...{ ...rest, polledAt: now },
    ...(missingSince !== undefined && { missingSince }),
    ...(gapMs !== undefined && { gapMs }),
    ...(dates.length > 0 && { newestAt: Math.max(...dates) }),
  };
}
