import { type Parts, paginate, toList, toResource } from "../answer.ts";
import type { Call, Handler } from "../call.ts";
import { tokenNeeded } from "../credentials.ts";
import { readLanguage, toTimestamp } from "../locale.ts";
import { notFound } from "../refusal.ts";
import { videoThumbnails } from "../thumbnails/index.ts";
import { findPlaylist, type Playlist } from "../world/index.ts";

const kind = "youtube#playlist";

const parts: Parts<Playlist> = {
  snippet: (playlist, { world, origin }) => ({
    publishedAt: toTimestamp(playlist.publishedAt),
    channelId: playlist.channelId,
    title: playlist.title,
    description: playlist.description,
    thumbnails: videoThumbnails(origin, world.videos.get(playlist.items[0]?.videoId ?? "")),
    channelTitle: world.channels.get(playlist.channelId)?.title,
    localized: { title: playlist.title, description: playlist.description },
  }),
  status: ({ privacy }) => ({ privacyStatus: privacy }),
  contentDetails: ({ items }) => ({ itemCount: items.length }),
  player: ({ id }) => ({
    embedHtml: `<iframe width="640" height="360" src="http://www.youtube.com/embed/videoseries?list=${id}" frameborder="0" allowfullscreen></iframe>`,
  }),
  localizations: () => ({}),
};

export const playlists = {
  "playlists.list": (call) => {
    readLanguage(call);
    const found = find(call);
    const belongsTo = `playlists ${found.map(({ id }) => id).join()}`;
    const { things, envelope } = paginate(call, found, { belongsTo });
    const items = things.map((playlist) =>
      toResource(call, { kind, id: playlist.id, thing: playlist, parts }),
    );
    return toList(`${kind}ListResponse`, items, envelope);
  },
} as const satisfies Record<string, Handler>;

/** By id unlisted ones answer too; a channel's list shows the public ones, to its owner all. */
function find({ query, world, viewer }: Call): Playlist[] {
  const ids = query.list("id");
  if (ids.length > 0) {
    return ids
      .map((id) => findPlaylist(world, id, viewer))
      .filter((playlist) => playlist !== undefined)
      .filter(({ privacy, channelId }) => privacy !== "private" || channelId === viewer);
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
