import {
  type Card,
  cut,
  gone,
  link,
  type Reply,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Playlist, smallThumbnail, youtubePages } from "../../video/index.ts";
import { formatSince, playlistCard, playlistParts, presses, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { actionFor, option } from "../declarations/index.ts";
import {
  type BrowsableList,
  browse,
  formatFacts,
  itemThumbnail,
  viewAsChannel,
} from "../lists/index.ts";
import { requireOneOf } from "../options/index.ts";
import { channels, ownPlaylists } from "../suggestions/index.ts";

/** Which playlists to list; JSON-shaped. */
type PlaylistsQuery =
  | { readonly channelId: string; readonly name: string }
  | { readonly mine: true; readonly name: string }
  | { readonly ids: readonly string[] };

const playlistsList: BrowsableList<PlaylistsQuery> = browse<"playlists.list", PlaylistsQuery>({
  name: "playlists.turn",
  method: "playlists.list",
  params: (query, { hl }) => {
    const part = playlistParts;
    if ("ids" in query) return { part, id: query.ids, hl };
    return "mine" in query ? { part, mine: true, hl } : { part, channelId: query.channelId, hl };
  },
  title: (query, words) =>
    "name" in query
      ? words.say("playlists.list.title", { channel: cut(query.name, 80) })
      : words.say("playlists.list.chosen"),
  item: drawPlaylist,
  empty: (words, query) =>
    words.md("mine" in query ? "playlists.list.none" : "playlists.list.empty"),
  columns: {
    id: "id",
    title: "snippet.title",
    description: "snippet.description",
    videos: "contentDetails.itemCount",
    privacy: "status.privacyStatus",
    podcast: "status.podcastStatus",
    channel: "snippet.channelTitle",
    channelId: "snippet.channelId",
    createdAt: "snippet.publishedAt",
    url: ({ id }) => (id === undefined ? undefined : youtubePages.playlist(id)),
  },
  isPrivate: (query) => "mine" in query,
});

function drawPlaylist(
  { id = "", snippet, contentDetails, status }: Playlist,
  { words }: { readonly words: Words },
): ReplyItem {
  const title = snippet?.localized?.title ?? snippet?.title ?? words.say("common.untitled");
  const count = contentDetails?.itemCount;
  const privacy = status?.privacyStatus;
  const facts: readonly (Text | undefined)[] = [
    count === undefined ? undefined : words.say("common.videos", { count }),
    privacy === "public" ? undefined : valueName(words, "privacyStatus", privacy),
    status?.podcastStatus === "enabled" ? words.say("playlists.podcast") : undefined,
    formatSince(snippet?.publishedAt),
  ];
  return {
    title: link(cut(title, 90), youtubePages.playlist(id)),
    lines: formatFacts(facts),
    ...itemThumbnail(title, smallThumbnail(snippet?.thumbnails), words),
    buttons: [
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
      { label: words.say("cards.details"), press: presses.playlist.details(id) },
    ],
  };
}

const ofChannel = actionFor(presses.channel.playlists, {
  method: "playlists.list",
  uses: ["channels.list"],
  run: async (ctx, { id }) => {
    const { title } = await findChannel(ctx, { id });
    return playlistsList.open(ctx, { channelId: id, name: title });
  },
});

export const playlistListOptions = {
  channel: option.channel({ covers: "channelId", suggest: channels }),
  playlists: option.playlists({ covers: "id", suggest: ownPlaylists }),
  mine: option.flag({ covers: "mine" }),
};

/** @throws InputError `conflicting_parameters`; what `findChannel` and `viewAsChannel` throw */
export async function openPlaylists(ctx: CtxFor<typeof playlistListOptions>): Promise<Reply> {
  const { channel, playlists: ids, mine } = ctx.options;
  requireOneOf({ channel, playlists: ids, mine });
  if (ids !== undefined) return playlistsList.open(ctx, { ids });
  if (mine !== true) {
    const { id, title } = await findChannel(ctx, channel);
    return playlistsList.open(ctx, { channelId: id, name: title });
  }
  const own = await viewAsChannel(ctx);
  const { title } = await findChannel(own, undefined);
  return playlistsList.open(own, { mine, name: title });
}

export const playlistListActions = [...playlistsList.actions, ofChannel] as const;

export const playlistDetailsAction = actionFor(presses.playlist.details, {
  method: "playlists.list",
  run: async (ctx, { id }) => {
    const wanted = { part: playlistParts, id: [id], hl: ctx.hl };
    const { items } = await ctx.video.call("playlists.list", wanted, { signal: ctx.signal });
    const [playlist] = items;
    return playlist === undefined ? gone("playlist", ctx.words) : drawPlaylistCard(ctx, playlist);
  },
});

/** The card of a playlist, with buttons to change it only for people who may. */
export function drawPlaylistCard(ctx: Ctx, playlist: Playlist): Card {
  const isOwn = playlist.snippet?.channelId === ctx.channelId;
  const isManager = isOwn && reaches(ctx.rank, "manager");
  return playlistCard(playlist, { words: ctx.words, isManager });
}
