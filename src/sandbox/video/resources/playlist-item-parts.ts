import { isVisible } from "../access.ts";
import { type Parts, toResource } from "../answer.ts";
import type { Call } from "../call.ts";
import { toTimestamp } from "../locale.ts";
import { Refusal } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import type { Item, Playlist, Video } from "../world/index.ts";

export const kind = "youtube#playlistItem";

/** An item with the place it has. */
export interface Entry {
  readonly item: Item;
  readonly playlist: Playlist;
  readonly position: number;
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

export function closed(reason: string): Refusal {
  return new Refusal(403, {
    reason,
    message: "The request is not properly authorized to retrieve the specified playlist.",
    domain: "youtube.playlistItem",
    place: { location: "playlistId", locationType: "parameter" },
  });
}
