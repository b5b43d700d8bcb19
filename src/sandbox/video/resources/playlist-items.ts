import { checkUnchanged, isVisible, requireVideo, requireViewer } from "../access.ts";
import { ApiError, badBody, fixedError, forbidden, notFound } from "../api-error.ts";
import type { ApiCall, Handler } from "../call.ts";
import {
  findPlaylist,
  itemId,
  type StoredPlaylist,
  type StoredPlaylistItem,
  type StoredVideo,
} from "../data/index.ts";
import { integerAt, textAt } from "../json-body.ts";
import { toTimestamp } from "../locale.ts";
import { defineResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/addresses.ts";
import { setRating } from "./ratings.ts";

/** An item with its playlist and its position there. */
interface PlaylistEntry extends StoredPlaylistItem {
  readonly playlist: StoredPlaylist;
  readonly position: number;
}

const itemResource = defineResource<PlaylistEntry>("playlistItem", (entry, call) => {
  const { videoId, playlist, position, note } = entry;
  const { channels, videos } = call.state;
  const stored = videos.get(videoId);
  const video = stored && isVisible(stored, call) ? stored : undefined;
  const hidden = stored
    ? { title: "Private video", description: "This video is private." }
    : { title: "Deleted video", description: "This video is unavailable." };
  const { title, description } = video ?? hidden;
  return {
    snippet: {
      publishedAt: toTimestamp(entry.addedAt),
      // The list's owner; the video's own channel is named further down.
      channelId: playlist.channelId,
      title,
      description,
      thumbnails: video === undefined ? {} : videoThumbnails(call.origin, video),
      channelTitle: channels.get(playlist.channelId)?.title,
      playlistId: playlist.id,
      position,
      resourceId: { kind: "youtube#video", videoId },
      videoOwnerChannelTitle: channels.get(video?.channelId ?? "")?.title,
      videoOwnerChannelId: video?.channelId,
    },
    contentDetails: {
      videoId,
      note,
      videoPublishedAt: video && toTimestamp(video.publishedAt),
    },
    status: { privacyStatus: stored?.privacy ?? "privacyStatusUnspecified" },
  };
});

/** Not documented: docs/services/youtube.md#playlists */
const maxItems = 5_000;

export const playlistItemHandlers = {
  "playlistItems.list": (call) => {
    const videoId = call.query.text("videoId");
    if (videoId !== undefined && !call.state.videos.has(videoId)) {
      throw notFound("video", "videoNotFound", "videoId");
    }
    const found = find(call).filter((item) => videoId === undefined || item.videoId === videoId);
    return itemResource.page(call, found);
  },
  "playlistItems.insert": (call) => {
    const { state, body } = call;
    const id = textAt(body, "snippet.playlistId") ?? "";
    checkClosed(call, id, "write");
    const playlist = findPlaylist(state, id, call.viewer);
    if (playlist === undefined) {
      throw notFound("playlistItem", "playlistNotFound", "snippet.playlistId");
    }
    checkEditable(call, playlist);
    if (textAt(body, "snippet.resourceId.kind") !== "youtube#video") {
      throw badBody("playlistItem", "invalidResourceType", "snippet.resourceId.kind");
    }
    const field = "snippet.resourceId.videoId";
    const videoId = textAt(body, field);
    if (!videoId) throw badBody("playlistItem", "resourceIdRequired", field);
    const video = requireVideo(call, videoId, field);
    const { items } = playlist;
    if (items.length >= maxItems) {
      throw forbidden("playlistItem", "playlistContainsMaximumNumberOfVideos");
    }
    // YouTube's own lists take no duplicates.
    if (/^(LL|WL|HL)/.test(id) && items.some(({ videoId }) => videoId === video.id)) {
      throw fixedError("videoInPlaylist");
    }
    const position = readPosition(call, playlist, items.length);
    return itemResource.show(call, findEntry(call, add(call, video, { playlist, position })));
  },
  "playlistItems.update": (call) => {
    const { body, query } = call;
    const { playlist, position: before, ...item } = findEntry(call);
    checkEditable(call, playlist);
    checkUnchanged(call, itemResource.show(call, findEntry(call)));
    const parts = query.list("part");
    const listed = textAt(body, "snippet.playlistId");
    if (listed !== undefined && listed !== playlist.id) {
      throw notFound("playlistItem", "playlistItemNotFound", "id");
    }
    const last = playlist.items.length - 1;
    const position = parts.includes("snippet") ? readPosition(call, playlist, last) : before;
    const hasNote = parts.includes("contentDetails");
    const note = hasNote ? textAt(body, "contentDetails.note") : item.note;
    playlist.items.splice(before, 1);
    playlist.items.splice(position, 0, { ...item, note });
    return itemResource.show(call, findEntry(call));
  },
  "playlistItems.delete": (call) => {
    const { id, videoId, playlist } = findEntry(call);
    checkEditable(call, playlist);
    const video = call.state.videos.get(videoId);
    if (!/^LL/.test(playlist.id)) playlist.items = playlist.items.filter((item) => item.id !== id);
    else if (video) setRating(call, video, "none");
    return undefined;
  },
} as const satisfies Record<string, Handler>;

function find(call: ApiCall): PlaylistEntry[] {
  const { query, state, viewer } = call;
  const ids = query.list("id");
  if (ids.length > 0) {
    return [...new Set(ids.map(readPlaylistId))]
      .flatMap((id) => findPlaylist(state, id, viewer) ?? [])
      .filter((playlist) => isVisible(playlist, call))
      .flatMap(listEntries)
      .filter(({ id }) => ids.includes(id));
  }
  const id = query.text("playlistId") ?? "";
  checkClosed(call, id, "read");
  const playlist = findPlaylist(state, id, viewer);
  if (playlist === undefined) throw notFound("playlistItem", "playlistNotFound", "playlistId");
  if (!isVisible(playlist, call)) throw notAccessible("playlistItemsNotAccessible");
  return listEntries(playlist);
}

/** The id of an item begins with that of its playlist. */
function readPlaylistId(id: string): string {
  return Buffer.from(id, "base64url").toString().split(".")[0] ?? "";
}

function listEntries(playlist: StoredPlaylist): PlaylistEntry[] {
  return playlist.items.map((item, position) => ({ ...item, playlist, position }));
}

function findEntry(call: ApiCall, id: string = call.id): PlaylistEntry {
  const playlist = findPlaylist(call.state, readPlaylistId(id), call.viewer);
  const entry = playlist && listEntries(playlist).find((item) => item.id === id);
  if (entry === undefined) throw notFound("playlistItem", "playlistItemNotFound", "id");
  return entry;
}

/**
 * Watch later and the history are for their owner alone, or for nobody: then the history reads as if it were empty, and the
 * other is refused (docs/services/youtube.md#special-playlists).
 */
function checkClosed(call: ApiCall, id: string, wanted: "read" | "write"): void {
  const { viewer, state } = call;
  const isOwn = viewer !== undefined && ["", viewer.slice(2)].includes(id.slice(2));
  const isOpen = state.channels.get(viewer ?? "")?.hasClosedLists !== true;
  if (isOwn && (isOpen || (wanted === "read" && /^HL/.test(id)))) return;
  if (/^WL/.test(id)) throw notAccessible("watchLaterNotAccessible");
  if (/^HL/.test(id)) throw notAccessible("watchHistoryNotAccessible");
}

function notAccessible(reason: string): ApiError {
  return new ApiError(403, {
    reason,
    message: "The request is not properly authorized to retrieve the specified playlist.",
    domain: "youtube.playlistItem",
    place: { parameter: "playlistId" },
  });
}

function checkEditable(call: ApiCall, playlist: StoredPlaylist): void {
  if (playlist.channelId !== requireViewer(call)) {
    throw forbidden("playlistItem", "playlistItemsNotAccessible");
  }
  // What is in the list of uploads is what was uploaded.
  if (/^UU/.test(playlist.id)) throw badBody("playlistItem", "playlistOperationUnsupported");
}

/** Where the body wants the item; last when it does not say, and first in a list that keeps its own order. */
function readPosition({ body, query }: ApiCall, { id }: StoredPlaylist, last: number): number {
  const wanted = integerAt(body, "snippet.position");
  const isNewestFirst = /^(LL|HL)/.test(id);
  if (wanted === undefined || !query.list("part").includes("snippet")) {
    return isNewestFirst ? 0 : last;
  }
  if (isNewestFirst) throw badBody("playlistItem", "manualSortRequired");
  if (wanted >= 0 && wanted <= last) return wanted;
  throw badBody("playlistItem", "invalidPlaylistItemPosition", "snippet.position");
}

/** Gives the new item's id. */
function add(
  call: ApiCall,
  video: StoredVideo,
  { playlist, position }: Pick<PlaylistEntry, "playlist" | "position">,
): string {
  const { state, now: addedAt, query, body } = call;
  // Liked videos are the ones that the caller rates so.
  if (/^LL/.test(playlist.id)) {
    setRating(call, video, "like");
    return itemId(playlist.id, video.id);
  }
  state.mintedIds += 1;
  // The same video may stand in a list more than once.
  const id = itemId(playlist.id, `${video.id} ${state.mintedIds}`);
  const hasNote = query.list("part").includes("contentDetails");
  const note = hasNote ? textAt(body, "contentDetails.note") : undefined;
  playlist.items.splice(position, 0, { id, videoId: video.id, addedAt, note });
  return id;
}
