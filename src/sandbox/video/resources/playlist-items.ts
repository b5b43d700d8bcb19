import { checkUnchanged, isVisible, requireViewer, visibleVideo } from "../access.ts";
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
import { paginate } from "../paginate.ts";
import { ApiRefusal, badBody, forbidden, notFound, refusal } from "../refusal.ts";
import { type ApiParts, toList, toResource } from "../resource.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { setRating } from "./ratings.ts";

export const playlistItemHandlers = {
  "playlistItems.list": (call) => {
    const { query, state } = call;
    const videoId = query.text("videoId");
    if (videoId !== undefined && !state.videos.has(videoId)) {
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

function find(call: ApiCall): PlaylistEntry[] {
  const { query, state, viewer } = call;
  const ids = query.list("id");
  if (ids.length > 0) {
    const playlists = [...new Set(ids.map(readPlaylistId))]
      .map((id) => findPlaylist(state, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter((playlist) => isVisible(playlist, call));
    return playlists.flatMap(playlistEntries).filter(({ item }) => ids.includes(item.id));
  }
  const id = query.text("playlistId") ?? "";
  checkClosed(call, id, "read");
  const playlist = findPlaylist(state, id, viewer);
  if (playlist === undefined) throw notFound("playlistItem", "playlistNotFound", "playlistId");
  if (!isVisible(playlist, call)) throw closed("playlistItemsNotAccessible");
  return playlistEntries(playlist);
}

const kind = "youtube#playlistItem";

interface PlaylistEntry {
  readonly item: StoredPlaylistItem;
  readonly playlist: StoredPlaylist;
  readonly position: number;
}

/** The id of an item begins with that of its playlist. */
function readPlaylistId(itemId: string): string {
  return Buffer.from(itemId, "base64url").toString().split(".")[0] ?? "";
}

function playlistEntries(playlist: StoredPlaylist): PlaylistEntry[] {
  return playlist.items.map((item, position) => ({ item, playlist, position }));
}

function toPlaylistItem(call: ApiCall, entry: PlaylistEntry): object {
  return toResource(call, { kind, id: entry.item.id, thing: entry, parts });
}

const parts: ApiParts<PlaylistEntry> = {
  snippet: ({ item, playlist, position }, call) => {
    const video = shown(item, call);
    const { channels, videos } = call.state;
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
    privacyStatus: call.state.videos.get(item.videoId)?.privacy ?? "privacyStatusUnspecified",
  }),
};

function shown({ videoId }: StoredPlaylistItem, call: ApiCall): StoredVideo | undefined {
  const video = call.state.videos.get(videoId);
  return video !== undefined && isVisible(video, call) ? video : undefined;
}

/** What a list shows of a video that is gone or closed. */
function stub(
  video: StoredVideo | undefined,
  exists: boolean,
): { title: string; description: string } {
  if (video !== undefined) return { title: video.title, description: video.description };
  return exists
    ? { title: "Private video", description: "This video is private." }
    : { title: "Deleted video", description: "This video is unavailable." };
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
  if (/^WL/.test(id)) throw closed("watchLaterNotAccessible");
  if (/^HL/.test(id)) throw closed("watchHistoryNotAccessible");
}

function closed(reason: string): ApiRefusal {
  return new ApiRefusal(403, {
    reason,
    message: "The request is not properly authorized to retrieve the specified playlist.",
    domain: "youtube.playlistItem",
    place: { location: "playlistId", locationType: "parameter" },
  });
}

/** Not documented: docs/services/youtube.md#playlists */
const maxItems = 5_000;

export const playlistItemWriteHandlers = {
  "playlistItems.insert": (call) => {
    const playlist = ownList(call, textAt(call.body, "snippet.playlistId") ?? "");
    const video = readVideo(call);
    const { items } = playlist;
    if (items.length >= maxItems) {
      throw forbidden("playlistItem", "playlistContainsMaximumNumberOfVideos");
    }
    if (isSpecial(playlist) && items.some(({ videoId }) => videoId === video.id))
      throw refusal("videoInPlaylist");
    const position = readPosition(call, playlist, items.length);
    const item = place(call, { playlist, video, position });
    return toPlaylistItem(call, findEntry(call, item.id));
  },
  "playlistItems.update": (call) => {
    const { body, query } = call;
    const { item, playlist } = findEntry(call, textAt(body, "id") ?? "");
    checkEditable(call, playlist);
    checkUnchanged(call, toPlaylistItem(call, findEntry(call, item.id)));
    const parts = query.list("part");
    const listed = textAt(body, "snippet.playlistId");
    if (listed !== undefined && listed !== playlist.id) throw noItem();
    const place = playlist.items.indexOf(item);
    const last = playlist.items.length - 1;
    const position = parts.includes("snippet") ? readPosition(call, playlist, last) : place;
    const note = parts.includes("contentDetails") ? readNote(call) : item.note;
    playlist.items.splice(place, 1);
    playlist.items.splice(position, 0, { ...item, note });
    return toPlaylistItem(call, findEntry(call, item.id));
  },
  "playlistItems.delete": (call) => {
    const { item, playlist } = findEntry(call, call.query.text("id") ?? "");
    checkEditable(call, playlist);
    const video = call.state.videos.get(item.videoId);
    if (!isLikes(playlist)) playlist.items = playlist.items.filter(({ id }) => id !== item.id);
    else if (video)
      setRating(call.state, video, { by: requireViewer(call), rating: "none", now: call.now });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** A list that the caller may put things into. */
function ownList(call: ApiCall, id: string): StoredPlaylist {
  checkClosed(call, id, "write");
  const playlist = findPlaylist(call.state, id, call.viewer);
  if (playlist === undefined) {
    throw notFound("playlistItem", "playlistNotFound", "snippet.playlistId");
  }
  checkEditable(call, playlist);
  return playlist;
}

function checkEditable(call: ApiCall, playlist: StoredPlaylist): void {
  if (playlist.channelId !== requireViewer(call)) {
    throw forbidden("playlistItem", "playlistItemsNotAccessible");
  }
  // What is in the list of uploads is what was uploaded.
  if (/^UU/.test(playlist.id)) throw badBody("playlistItem", "playlistOperationUnsupported");
}

const isLikes = ({ id }: StoredPlaylist): boolean => /^LL/.test(id);
const isSpecial = ({ id }: StoredPlaylist): boolean => /^(LL|WL|HL)/.test(id);
/** Newest first, whatever anybody wants. */
const isSortedByItself = ({ id }: StoredPlaylist): boolean => /^(LL|HL)/.test(id);

function readVideo(call: ApiCall): StoredVideo {
  const kind = textAt(call.body, "snippet.resourceId.kind");
  if (kind !== "youtube#video") {
    throw badBody("playlistItem", "invalidResourceType", "snippet.resourceId.kind");
  }
  const id = textAt(call.body, "snippet.resourceId.videoId");
  if (!id) throw badBody("playlistItem", "resourceIdRequired", "snippet.resourceId.videoId");
  return visibleVideo(call, id, "snippet.resourceId.videoId");
}

/** Where the body wants the item; last when it does not say, and first in a list that keeps its own order. */
function readPosition({ body, query }: ApiCall, playlist: StoredPlaylist, last: number): number {
  const wanted = integerAt(body, "snippet.position");
  if (wanted === undefined || !query.list("part").includes("snippet")) {
    return isSortedByItself(playlist) ? 0 : last;
  }
  if (isSortedByItself(playlist)) throw badBody("playlistItem", "manualSortRequired");
  if (wanted >= 0 && wanted <= last) return wanted;
  throw badBody("playlistItem", "invalidPlaylistItemPosition", "snippet.position");
}

function readNote({ body }: ApiCall): string | undefined {
  return textAt(body, "contentDetails.note");
}

interface NewPlaylistItem {
  readonly playlist: StoredPlaylist;
  readonly video: StoredVideo;
  readonly position: number;
}

function place(call: ApiCall, { playlist, video, position }: NewPlaylistItem): StoredPlaylistItem {
  const { state, now, query } = call;
  if (isLikes(playlist)) {
    setRating(state, video, { by: requireViewer(call), rating: "like", now: call.now });
    return { id: itemId(playlist.id, video.id), videoId: video.id, addedAt: now, note: undefined };
  }
  state.mintedIds += 1;
  const item = {
    // The same video may stand in a list more than once.
    id: itemId(playlist.id, `${video.id} ${state.mintedIds}`),
    videoId: video.id,
    addedAt: now,
    note: query.list("part").includes("contentDetails") ? readNote(call) : undefined,
  };
  playlist.items.splice(position, 0, item);
  return item;
}

function findEntry(call: ApiCall, id: string): PlaylistEntry {
  const playlist = findPlaylist(call.state, readPlaylistId(id), call.viewer);
  const entry = playlist && playlistEntries(playlist).find(({ item }) => item.id === id);
  if (entry === undefined) throw noItem();
  return entry;
}

function noItem(): ApiRefusal {
  return notFound("playlistItem", "playlistItemNotFound", "id");
}
