import { parseTime } from "../clock.ts";
import { BotError, isServerErased } from "../errors.ts";
import {
  type PlaylistItem,
  playerBounds,
  type ResourcePage,
  type VideoClient,
} from "../video/index.ts";
import { describeRelease, releaseParts, type SeenRelease } from "./release.ts";

/** One upload in a channel's list. */
export interface ListedUpload {
  readonly videoId: string;
  /** Lists also have entries for videos that are not public, or no longer. */
  readonly isPublic: boolean;
  readonly publishedAt: number | undefined;
}

/** docs/services/youtube.md#ids-of-one-call */
const maxIds = 50;

/** The newest 50 uploads, for one unit. @throws what the client throws */
export async function readUploads(
  client: VideoClient,
  playlistId: string,
  signal: AbortSignal,
): Promise<readonly ListedUpload[]> {
  const part = ["contentDetails", "status"] as const;
  const wanted = { part, playlistId, maxResults: 50 } as const;
  const { items }: ResourcePage<PlaylistItem> = await client.call("playlistItems.list", wanted, {
    signal,
  });
  return items.flatMap(({ contentDetails, status }) => {
    const videoId = contentDetails?.videoId;
    if (videoId === undefined) return [];
    const publishedAt = parseTime(contentDetails?.videoPublishedAt);
    const isPublic = (status?.privacyStatus ?? (publishedAt && "public")) === "public";
    return [{ videoId, isPublic, publishedAt }];
  });
}

/** Videos by id, a unit for each 50; those that nobody can read are left out. @throws what the client throws */
export async function readVideos(
  client: VideoClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SeenRelease>> {
  const found = new Map<string, SeenRelease>();
  for (let from = 0; from < ids.length; from += maxIds) {
    const id = ids.slice(from, from + maxIds);
    const wanted = { part: releaseParts, id, ...playerBounds };
    const { items } = await client.call("videos.list", wanted, { signal });
    for (const video of items) {
      const seen = describeRelease(video);
      if (seen !== undefined) found.set(seen.video.id, seen);
    }
  }
  return found;
}

/** How many public videos these channels have, a unit for each 50. @throws what the client throws */
export async function readVideoCounts(
  client: VideoClient,
  sources: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const counts = new Map<string, string>();
  for (let from = 0; from < sources.length; from += maxIds) {
    const wanted = { part: ["statistics"], id: sources.slice(from, from + maxIds) } as const;
    const { items } = await client.call("channels.list", wanted, { signal });
    for (const { id, statistics } of items ?? []) {
      const count = statistics?.videoCount;
      if (id !== undefined && count !== undefined) counts.set(id, count);
    }
  }
  return counts;
}

/** The channel's title, for one unit; undefined if there is no such channel. @throws what the client throws */
export async function readTitle(
  client: VideoClient,
  source: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = { part: ["snippet"], id: [source] } as const;
  const { items } = await client.call("channels.list", wanted, { signal });
  const [channel] = items ?? [];
  return channel === undefined ? undefined : (channel.snippet?.title ?? source);
}

/** Whether YouTube, or a credential for it, is the cause. The job itself handles failures of our own database. */
export function isServiceFailure(error: unknown): error is BotError {
  return error instanceof BotError && error.code !== "store_unavailable" && !isServerErased(error);
}
