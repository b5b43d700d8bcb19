import { checkUnchanged, viewerOf, visibleVideo } from "../access.ts";
import { integerAt, textAt } from "../body.ts";
import type { Call, Handler } from "../call.ts";
import { badBody, forbidden, notFound, Refusal } from "../refusal.ts";
import { findPlaylist, type Item, itemId, type Playlist, type Video } from "../world/index.ts";
import {
  checkClosed,
  type Entry,
  entriesOf,
  playlistIdOf,
  toPlaylistItem,
} from "./playlist-items.ts";
import { rate } from "./ratings.ts";

/** facts/video-api.json, limits.playlistItemsPerPlaylist */
const maxItems = 5_000;

export const playlistItemWrites = {
  "playlistItems.insert": (call) => {
    const playlist = ownList(call, textAt(call.body, "snippet.playlistId") ?? "");
    const video = videoOf(call);
    const { items } = playlist;
    if (items.length >= maxItems) {
      throw forbidden("playlistItem", "playlistContainsMaximumNumberOfVideos");
    }
    if (isSpecial(playlist) && items.some(({ videoId }) => videoId === video.id)) throw twice();
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
    const note = parts.includes("contentDetails") ? noteOf(call) : item.note;
    playlist.items.splice(place, 1);
    playlist.items.splice(position, 0, { ...item, note });
    return toPlaylistItem(call, findEntry(call, item.id));
  },
  "playlistItems.delete": (call) => {
    const { item, playlist } = findEntry(call, call.query.text("id") ?? "");
    checkEditable(call, playlist);
    const video = call.world.videos.get(item.videoId);
    if (!isLikes(playlist)) playlist.items = playlist.items.filter(({ id }) => id !== item.id);
    else if (video) rate(call.world, video, { by: viewerOf(call), rating: "none", now: call.now });
    return undefined;
  },
} as const satisfies Record<string, Handler>;

/** A list that the caller may put things into. */
function ownList(call: Call, id: string): Playlist {
  checkClosed(call, id, "write");
  const playlist = findPlaylist(call.world, id, call.viewer);
  if (playlist === undefined) {
    throw notFound("playlistItem", "playlistNotFound", "snippet.playlistId");
  }
  checkEditable(call, playlist);
  return playlist;
}

function checkEditable(call: Call, playlist: Playlist): void {
  if (playlist.channelId !== viewerOf(call)) {
    throw forbidden("playlistItem", "playlistItemsNotAccessible");
  }
  // What is in the list of uploads is what was uploaded.
  if (/^UU/.test(playlist.id)) throw badBody("playlistItem", "playlistOperationUnsupported");
}

const isLikes = ({ id }: Playlist): boolean => /^LL/.test(id);
const isSpecial = ({ id }: Playlist): boolean => /^(LL|WL|HL)/.test(id);
/** Newest first, whatever anybody wants. */
const isSortedByItself = ({ id }: Playlist): boolean => /^(LL|HL)/.test(id);

function videoOf(call: Call): Video {
  const kind = textAt(call.body, "snippet.resourceId.kind");
  if (kind !== "youtube#video") {
    throw badBody("playlistItem", "invalidResourceType", "snippet.resourceId.kind");
  }
  const id = textAt(call.body, "snippet.resourceId.videoId");
  if (!id) throw badBody("playlistItem", "resourceIdRequired", "snippet.resourceId.videoId");
  return visibleVideo(call, id, "snippet.resourceId.videoId");
}

/** Where the body wants the item; last when it does not say, and first in a list that keeps its own order. */
function readPosition({ body, query }: Call, playlist: Playlist, last: number): number {
  const wanted = integerAt(body, "snippet.position");
  if (wanted === undefined || !query.list("part").includes("snippet")) {
    return isSortedByItself(playlist) ? 0 : last;
  }
  if (isSortedByItself(playlist)) throw badBody("playlistItem", "manualSortRequired");
  if (wanted >= 0 && wanted <= last) return wanted;
  throw badBody("playlistItem", "invalidPlaylistItemPosition", "snippet.position");
}

function noteOf({ body }: Call): string | undefined {
  return textAt(body, "contentDetails.note");
}

interface Placing {
  readonly playlist: Playlist;
  readonly video: Video;
  readonly position: number;
}

function place(call: Call, { playlist, video, position }: Placing): Item {
  const { world, now, query } = call;
  if (isLikes(playlist)) {
    rate(world, video, { by: viewerOf(call), rating: "like", now: call.now });
    return { id: itemId(playlist.id, video.id), videoId: video.id, addedAt: now, note: undefined };
  }
  world.minted += 1;
  const item = {
    // The same video may stand in a list more than once.
    id: itemId(playlist.id, `${video.id} ${world.minted}`),
    videoId: video.id,
    addedAt: now,
    note: query.list("part").includes("contentDetails") ? noteOf(call) : undefined,
  };
  playlist.items.splice(position, 0, item);
  return item;
}

function findEntry(call: Call, id: string): Entry {
  const playlist = findPlaylist(call.world, playlistIdOf(id), call.viewer);
  const entry = playlist && entriesOf(playlist).find(({ item }) => item.id === id);
  if (entry === undefined) throw noItem();
  return entry;
}

function noItem(): Refusal {
  return notFound("playlistItem", "playlistItemNotFound", "id");
}

function twice(): Refusal {
  return new Refusal(409, {
    reason: "videoAlreadyInPlaylist",
    message: "The video is in the playlist already, and it takes no duplicates.",
    domain: "youtube.playlistItem",
  });
}
