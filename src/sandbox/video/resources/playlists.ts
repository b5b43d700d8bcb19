import { toList } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage } from "../locale.ts";
import { paginate } from "../paginate.ts";
import { notFound } from "../refusal.ts";
import { findPlaylist, type Playlist } from "../world/index.ts";
import { kind, toPlaylist } from "./playlist-parts.ts";

export const playlists = {
  "playlists.list": (call) => {
    readLanguage(call);
    const found = find(call);
    const { things, envelope } = paginate(call, found, {
      belongsTo: `playlists ${call.query.chosenBy}`,
      idOf: ({ id }) => id,
    });
    const items = things.map((playlist) => toPlaylist(call, playlist));
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

/** By id unlisted ones answer too; a channel's list shows the public ones, to its owner all. */
function find({ query, world, viewer }: Call): Playlist[] {
  const ids = query.list("id");
  const isOpen = (channelId: string) => world.channels.get(channelId)?.hasClosedLists !== true;
  if (ids.length > 0) {
    return ids
      .map((id) => findPlaylist(world, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter(({ privacy, channelId }) => privacy !== "private" || channelId === viewer)
      .filter(({ id, channelId }) => !/^[HW]L/.test(id) || isOpen(channelId));
  }
  if (query.flag("mine") && viewer === undefined) throw tokenNeeded();
  const channelId = query.flag("mine") ? viewer : query.text("channelId");
  if (!world.channels.has(channelId ?? "")) {
    throw notFound("channel", "channelNotFound", "channelId");
  }
  return [...world.playlists.values()].filter(
    (playlist) =>
      playlist.channelId === channelId && (playlist.privacy === "public" || viewer === channelId),
  );
}
