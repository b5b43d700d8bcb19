import { BotError, isGuildErased } from "../errors.ts";
import { type Page, type PlaylistItem, playerBounds, type VideoClient } from "../video/index.ts";
import { releaseParts, type Seen, seenOf } from "./release.ts";

/** One of a channel's uploads, as its list tells. */
export interface Upload {
  readonly videoId: string;
  /** Of what is not, or no longer, there for everybody, lists hold the place. */
  readonly isPublic: boolean;
  readonly publishedAt: number | undefined;
}

/** facts/video-api-notes.md 2: ids of one call. */
const mostIds = 50;

/** The newest 50 uploads, for one unit. @throws what the client throws */
export async function readUploads(
  client: VideoClient,
  playlistId: string,
  signal: AbortSignal,
): Promise<readonly Upload[]> {
  const part = ["contentDetails", "status"] as const;
  const wanted = { part, playlistId, maxResults: 50 } as const;
  const { items }: Page<PlaylistItem> = await client.call("playlistItems.list", wanted, { signal });
  return items.flatMap(({ contentDetails, status }) => {
    const videoId = contentDetails?.videoId;
    if (videoId === undefined) return [];
    const at = Date.parse(contentDetails?.videoPublishedAt ?? "");
    const publishedAt = Number.isNaN(at) ? undefined : at;
    const isPublic = (status?.privacyStatus ?? (publishedAt && "public")) === "public";
    return [{ videoId, isPublic, publishedAt }];
  });
}

/** Videos by id, a unit for each 50; those that nobody can read are left out. @throws what the client throws */
export async function readVideos(
  client: VideoClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Seen>> {
  const found = new Map<string, Seen>();
  for (let from = 0; from < ids.length; from += mostIds) {
    const id = ids.slice(from, from + mostIds);
    const wanted = { part: releaseParts, id, ...playerBounds };
    const { items } = await client.call("videos.list", wanted, { signal });
    for (const video of items) {
      const seen = seenOf(video);
      if (seen !== undefined) found.set(seen.video.id, seen);
    }
  }
  return found;
}

/** The channel's title, for one unit; undefined where there is no such channel. @throws what the client throws */
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

/** Codes of a list that is not there, or not for us. */
const missing: ReadonlySet<string> = new Set([
  "playlist_not_found",
  "playlist_items_not_accessible",
  "playlist_forbidden",
  "not_found",
  "channel_closed",
  "channel_suspended",
]);

export function isMissing(error: unknown): boolean {
  return error instanceof BotError && missing.has(error.code);
}

/** Whether the service, or a credential for it, is the cause: our own database's failures are the job's. */
export function isServiceFailure(error: unknown): error is BotError {
  return error instanceof BotError && error.code !== "store_unavailable" && !isGuildErased(error);
}
