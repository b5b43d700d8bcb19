import { type Parts, paginate, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { toTimestamp } from "../locale.ts";
import { notFound, Refusal } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { findPlaylist, type Item, type Playlist, type Video } from "../world/index.ts";

const kind = "youtube#playlistItem";

interface Entry {
  readonly item: Item;
  readonly playlist: Playlist;
  readonly position: number;
}

const parts: Parts<Entry> = {
  snippet: ({ item, playlist, position }, call) => {
    const video = visible(item, call);
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
    const video = visible(item, call);
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
    const belongsTo = `playlistItems ${query.text("playlistId")} ${videoId} ${query.list("id")}`;
    const { things, envelope } = paginate(call, found, { belongsTo });
    const items = things.map((entry) =>
      toResource(call, { kind, id: entry.item.id, thing: entry, parts }),
    );
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

function find(call: Call): Entry[] {
  const { query, world, viewer } = call;
  const ids = query.list("id");
  if (ids.length > 0) {
    // An item's id begins with its playlist's.
    const lists = ids.map((id) => Buffer.from(id, "base64url").toString().split(".")[0] ?? "");
    const playlists = [...new Set(lists)]
      .map((id) => findPlaylist(world, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter(({ privacy, channelId }) => privacy !== "private" || channelId === viewer);
    return playlists.flatMap(entries).filter(({ item }) => ids.includes(item.id));
  }
  const id = query.text("playlistId") ?? "";
  checkClosed(id);
  const playlist = findPlaylist(world, id, viewer);
  if (playlist === undefined) throw notFound("playlistItem", "playlistNotFound", "playlistId");
  if (playlist.privacy === "private" && playlist.channelId !== viewer) {
    throw closed("playlistItemsNotAccessible");
  }
  return entries(playlist);
}

function entries(playlist: Playlist): Entry[] {
  return playlist.items.map((item, position) => ({ item, playlist, position }));
}

/** Watch later and the history can't be read by anyone. */
function checkClosed(id: string): void {
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

function visible({ videoId }: Item, { world, viewer }: Call): Video | undefined {
  const video = world.videos.get(videoId);
  return video?.privacy === "private" && video.channelId !== viewer ? undefined : video;
}

/** What a list shows of a video that is gone or closed. */
function stub(video: Video | undefined, exists: boolean): { title: string; description: string } {
  if (video !== undefined) return { title: video.title, description: video.description };
  return exists
    ? { title: "Private video", description: "This video is private." }
    : { title: "Deleted video", description: "This video is unavailable." };
}
