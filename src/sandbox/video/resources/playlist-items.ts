import { isVisible } from "../access.ts";
import { type Parts, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { toTimestamp } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { notFound, Refusal } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { findPlaylist, type Item, type Playlist, type Video } from "../world/index.ts";

export const playlistItems = {
  "playlistItems.list": (call) => {
    const { query, world } = call;
    const videoId = query.text("videoId");
    if (videoId !== undefined && !world.videos.has(videoId)) {
      throw notFound("video", "videoNotFound", "videoId");
    }
    const found = find(call).filter(
      ({ item }) => videoId === undefined || item.videoId === videoId,
    );
    const { things, envelope } = paginate(call, found, {
      belongsTo: `playlistItems ${query.chosenBy}`,
      idOf: ({ item }) => item.id,
    });
    const items = things.map((entry) => toPlaylistItem(call, entry));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find(call: Call): Entry[] {
  const { query, world, viewer } = call;
  const ids = query.list("id");
  if (ids.length > 0) {
    const playlists = [...new Set(ids.map(playlistIdOf))]
      .map((id) => findPlaylist(world, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter((playlist) => isVisible(playlist, call));
    return playlists.flatMap(entriesOf).filter(({ item }) => ids.includes(item.id));
  }
  const id = query.text("playlistId") ?? "";
  checkClosed(call, id, "read");
  const playlist = findPlaylist(world, id, viewer);
  if (playlist === undefined) throw notFound("playlistItem", "playlistNotFound", "playlistId");
  if (!isVisible(playlist, call)) throw closed("playlistItemsNotAccessible");
  return entriesOf(playlist);
}

const kind = "youtube#playlistItem";

/** An item with the place it has. */
export interface Entry {
  readonly item: Item;
  readonly playlist: Playlist;
  readonly position: number;
}

/** The id of an item begins with that of its playlist. */
export function playlistIdOf(itemId: string): string {
  return Buffer.from(itemId, "base64url").toString().split(".")[0] ?? "";
}

export function entriesOf(playlist: Playlist): Entry[] {
  return playlist.items.map((item, position) => ({ item, playlist, position }));
}

/** An item as `part` asks for it. */
export function toPlaylistItem(call: Call, entry: Entry): object {
  return toResource(call, { kind, id: entry.item.id, thing: entry, parts });
}

const parts: Parts<Entry> = {
  snippet: ({ item, playlist, position }, call) => {
    const video = shown(item, call);
    const { channels, videos } = call.world;
    return {
      publishedAt: toTimestamp(item.addedAt),
      // The list's owner; the video's own channel is named further down.
      channelId: playlist.channelId,
      ...stub(video, videos.has(item.videoId)),
      thumbnails: video === undefined ? {} : videoThumbnails(call.origin, video),
      channelTitle: channels.get(playlist.channelId)?.title,
      playlistId: playlist.id,
      position,
      resourceId: { kind: "youtube#video", videoId: item.videoId },
      ...(video && {
        videoOwnerChannelTitle: channels.get(video.channelId)?.title,
        videoOwnerChannelId: video.channelId,
      }),
    };
  },
  contentDetails: ({ item }, call) => {
    const video = shown(item, call);
    return {
      videoId: item.videoId,
      ...(item.note !== undefined && { note: item.note }),
      ...(video && { videoPublishedAt: toTimestamp(video.publishedAt) }),
    };
  },
  status: ({ item }, call) => ({
    privacyStatus: call.world.videos.get(item.videoId)?.privacy ?? "privacyStatusUnspecified",
  }),
};

function shown({ videoId }: Item, call: Call): Video | undefined {
  const video = call.world.videos.get(videoId);
  return video !== undefined && isVisible(video, call) ? video : undefined;
}

/** What a list shows of a video that is gone or closed. */
function stub(video: Video | undefined, exists: boolean): { title: string; description: string } {
  if (video !== undefined) return { title: video.title, description: video.description };
  return exists
    ? { title: "Private video", description: "This video is private." }
    : { title: "Deleted video", description: "This video is unavailable." };
}

/**
 * Watch later and the history are for their owner alone (specification, section 4), or for nobody: then the history
 * reads as if it were empty, and the other is refused (facts, section 9).
 */
export function checkClosed(call: Call, id: string, wanted: "read" | "write"): void {
  const { viewer, world } = call;
  const isOwn = viewer !== undefined && ["", viewer.slice(2)].includes(id.slice(2));
  const isOpen = world.channels.get(viewer ?? "")?.hasClosedLists !== true;
  if (isOwn && (isOpen || (wanted === "read" && /^HL/.test(id)))) return;
  if (/^WL/.test(id)) throw closed("watchLaterNotAccessible");
  if (/^HL/.test(id)) throw closed("watchHistoryNotAccessible");
}

function closed(reason: string): Refusal {
  return new Refusal(403, {
    reason,
    message: "The request is not properly authorized to retrieve the specified playlist.",
    domain: "youtube.playlistItem",
    place: { location: "playlistId", locationType: "parameter" },
  });
}
