import type { VideoClient } from "../video/index.ts";
import type { AnnouncementRecords, KnownVideo } from "./announcement-records.ts";
import type { FeedRef, StoredFeed } from "./feed-records.ts";
import type { Listed } from "./progressed.ts";
import { hasLapsed } from "./push/lease.ts";
import { isMissing, readTitle, readUploads, readVideos } from "./read.ts";
import type { Feed } from "./record.ts";
import type { Seen } from "./release.ts";

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

export interface ReadFeedDeps {
  readonly announcements: Pick<AnnouncementRecords, "known" | "awaited">;
}

interface From {
  readonly client: VideoClient;
  readonly signal: AbortSignal;
  readonly now: number;
}

/** Names are kept for 30 days at most without being read again (docs/decisions.md). */
const titleMs = 25 * 24 * 3_600_000;

/** Asks the service for what a look needs, and for nothing that is known. @throws what the client throws */
export async function readFeed(
  { announcements }: ReadFeedDeps,
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
  const isOut = (id: string) => isAwaited(id) && known.get(id)?.lookAt === undefined;
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
async function readList({
  feed,
  progress,
  client,
  signal,
  now,
}: StoredFeed & From): Promise<Listed> {
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
