import { isVisible } from "../access.ts";
import { toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { paginate } from "../paginate.ts";
import { notFound } from "../refusal.ts";
import { findPlaylist } from "../world/index.ts";
import {
  checkClosed,
  closed,
  type Entry,
  entriesOf,
  kind,
  toPlaylistItem,
} from "./playlist-item-parts.ts";

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
    // An item's id begins with its playlist's.
    const lists = ids.map((id) => Buffer.from(id, "base64url").toString().split(".")[0] ?? "");
    const playlists = [...new Set(lists)]
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
