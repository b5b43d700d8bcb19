import { AccessError } from "../../errors.ts";
import type { Playlist, PlaylistItem } from "../../video/index.ts";
import { specialPlaylists } from "../../video/index.ts";
import { type Browse, browse } from "../browse.ts";
import { named, playlistParts, since, smallThumbnail } from "../cards/index.ts";
import { action, type Ctx } from "../command.ts";
import { findChannel } from "../find.ts";
import { pages } from "../links.ts";
import { presses } from "../presses.ts";
import { reaches } from "../rank.ts";
import { gone, type Item, type Reply } from "../reply.ts";
import { cut, join, link, type Text } from "../text.ts";
import type { Words } from "../words.ts";

/** Whose playlists, or which; JSON-shaped. */
export type PlaylistsQuery =
  | { readonly channelId: string; readonly name: string }
  | { readonly mine: true; readonly name: string }
  | { readonly ids: readonly string[] };

export interface ItemsQuery {
  readonly playlistId: string;
  readonly name: string;
  readonly videoId?: string | undefined;
  /** Of what only the channel itself sees, such as its likes. */
  readonly isPrivate?: boolean;
}

export const playlistsList: Browse<PlaylistsQuery> = browse<"playlists.list", PlaylistsQuery>({
  name: "playlists.turn",
  row: "playlists.list",
  params: (query, { hl }) => {
    const part = playlistParts;
    if ("ids" in query) return { part, id: query.ids, hl };
    return "mine" in query ? { part, mine: true, hl } : { part, channelId: query.channelId, hl };
  },
  title: (query, words) =>
    "name" in query
      ? words.say("playlists.list.title", { channel: cut(query.name, 80) })
      : words.say("playlists.list.chosen"),
  item: (playlist, { words }) => drawPlaylist(playlist, words),
  empty: (words, query) =>
    words.say("mine" in query ? "playlists.list.none" : "playlists.list.empty"),
  columns: {
    id: ({ id }) => id,
    title: ({ snippet }) => snippet?.title,
    description: ({ snippet }) => snippet?.description,
    videos: ({ contentDetails }) => contentDetails?.itemCount,
    privacy: ({ status }) => status?.privacyStatus,
    podcast: ({ status }) => status?.podcastStatus,
    channel: ({ snippet }) => snippet?.channelTitle,
    channelId: ({ snippet }) => snippet?.channelId,
    createdAt: ({ snippet }) => snippet?.publishedAt,
    url: ({ id }) => (id === undefined ? undefined : pages.playlist(id)),
  },
  isPrivate: (query) => "mine" in query,
});

function drawPlaylist({ id = "", ...playlist }: Playlist, words: Words): Item {
  const { snippet, contentDetails, status } = playlist;
  const title = snippet?.localized?.title ?? snippet?.title ?? words.say("common.untitled");
  const count = contentDetails?.itemCount;
  const privacy = status?.privacyStatus;
  const facts: readonly (Text | undefined)[] = [
    count === undefined ? undefined : words.say("common.videos", { count }),
    privacy === "public" ? undefined : named(words, "privacyStatus", privacy),
    status?.podcastStatus === "enabled" ? words.say("playlists.podcast") : undefined,
    since(snippet?.publishedAt),
  ];
  return {
    title: link(cut(title, 90), pages.playlist(id)),
    lines: lineOf(facts),
    ...picture(title, smallThumbnail(snippet?.thumbnails), words),
    buttons: [
      { label: words.say("playlists.show_videos"), press: presses.playlist.items(id) },
      { label: words.say("cards.details"), press: presses.playlist.details(id) },
    ],
  };
}

export const itemsList: Browse<ItemsQuery> = browse<"playlistItems.list", ItemsQuery>({
  name: "playlists.turn-items",
  row: "playlistItems.list",
  params: ({ playlistId, videoId }) => ({
    part: ["snippet", "contentDetails", "status"],
    playlistId,
    ...(videoId === undefined ? {} : { videoId }),
  }),
  title: ({ name }) => cut(name, 100),
  item: (item, { words, ctx }) => drawItem(item, words, reaches(ctx.rank, "manager")),
  empty: (words, { videoId }) =>
    words.say(videoId === undefined ? "playlists.show.empty" : "playlists.show.absent"),
  columns: {
    place: ({ snippet }) => (snippet?.position ?? 0) + 1,
    title: ({ snippet }) => snippet?.title,
    videoId: ({ contentDetails }) => contentDetails?.videoId,
    channel: ({ snippet }) => snippet?.videoOwnerChannelTitle,
    channelId: ({ snippet }) => snippet?.videoOwnerChannelId,
    addedAt: ({ snippet }) => snippet?.publishedAt,
    publishedAt: ({ contentDetails }) => contentDetails?.videoPublishedAt,
    privacy: ({ status }) => status?.privacyStatus,
    note: ({ contentDetails }) => contentDetails?.note,
    itemId: ({ id }) => id,
    url: ({ contentDetails }) =>
      contentDetails?.videoId === undefined ? undefined : pages.video(contentDetails.videoId),
  },
  isPrivate: ({ isPrivate }) => isPrivate === true,
});

function drawItem(item: PlaylistItem, words: Words, isManager: boolean): Item {
  const { snippet, contentDetails, status } = item;
  const id = contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "";
  const place = (snippet?.position ?? 0) + 1;
  const title = snippet?.title ?? words.say("common.untitled");
  const owner = snippet?.videoOwnerChannelTitle;
  const privacy = status?.privacyStatus;
  const added = since(snippet?.publishedAt);
  const facts: readonly (Text | undefined)[] = [
    owner === undefined ? undefined : cut(owner, 60),
    privacy === "private" || privacy === "unlisted"
      ? named(words, "privacyStatus", privacy)
      : undefined,
    added === undefined ? undefined : words.md("playlists.show.added", { when: added }),
  ];
  // An entry whose video is gone keeps its place and tells no owner.
  const isThere = owner !== undefined;
  return {
    title: link(cut(`${words.number(place)}. ${title}`, 90), pages.video(id)),
    lines: [...lineOf(facts), ...(contentDetails?.note ? [cut(contentDetails.note, 280)] : [])],
    ...picture(title, smallThumbnail(snippet?.thumbnails), words),
    ...(isThere
      ? {
          buttons: [
            { label: words.say("cards.details"), press: presses.video.details(id) },
            ...(isManager
              ? [
                  {
                    label: words.say("cards.add_to_playlist"),
                    press: presses.video.addToPlaylist([id]),
                  },
                ]
              : []),
          ],
        }
      : {}),
  };
}

function lineOf(facts: readonly (Text | undefined)[]): readonly Text[] {
  const given = facts.filter((fact) => fact !== undefined);
  return given.length === 0 ? [] : [join(given, " · ")];
}

function picture(title: string, url: string | undefined, words: Words): Pick<Item, "thumbnail"> {
  if (url === undefined) return {};
  return { thumbnail: { url, alt: words.say("common.thumbnail_of", { title: cut(title, 80) }) } };
}

/** The videos of a playlist, by its id. */
export async function openItems(
  ctx: Ctx<unknown>,
  playlistId: string,
  videoId?: string,
): Promise<Reply> {
  const wanted = { part: ["snippet", "status"], id: [playlistId], hl: ctx.hl } as const;
  const { items } = await ctx.video.call("playlists.list", wanted, { signal: ctx.signal });
  const [playlist] = items;
  const { words } = ctx;
  if (playlist === undefined) return gone("playlist", words);
  const { localized, title } = playlist.snippet ?? {};
  const name = localized?.title ?? title ?? words.say("common.untitled");
  const isPrivate = playlist.status?.privacyStatus === "private";
  return itemsList.open(ctx, { playlistId, name, videoId, ...(isPrivate && { isPrivate }) });
}

/** What a channel has uploaded, newest first. */
export async function openUploads(
  ctx: Ctx<unknown>,
  ref: Parameters<typeof findChannel>[1],
): Promise<Reply> {
  const { words } = ctx;
  const { title, channel } = await findChannel(ctx, ref, ["contentDetails"]);
  const playlistId = channel.contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) return gone("playlist", words);
  const name = words.say("playlists.uploads.title", { channel: cut(title, 80) });
  return itemsList.open(ctx, { playlistId, name });
}

/**
 * What the linked channel likes; for its own people alone.
 * @throws AccessError `likes_not_accessible`
 */
export async function openLikes(ctx: Ctx<unknown>): Promise<Reply> {
  const { likes } = await specialPlaylists(ctx.own, "mine", { signal: ctx.signal });
  if (likes === undefined) throw hidden();
  const name = ctx.words.say("playlists.likes.title");
  return itemsList.open(ctx, { playlistId: likes, name, isPrivate: true });
}

function hidden(): AccessError {
  return new AccessError("the likes are hidden", {
    code: "likes_not_accessible",
    hint: "Which videos a channel likes is shown to its owner alone. Link that channel.",
  });
}

const items = action<{ readonly id: string }>({
  name: "playlists.items",
  answer: "private",
  by: "anyone",
  row: "playlistItems.list",
  uses: ["playlists.list"],
  run: (ctx, { id }) => openItems(ctx, id),
});

const uploadsOf = action<{ readonly id: string }>({
  name: "playlists.uploads-of",
  answer: "private",
  by: "anyone",
  row: "playlistItems.list",
  uses: ["channels.list"],
  run: (ctx, { id }) => openUploads(ctx, { id }),
});

const ofChannel = action<{ readonly id: string }>({
  name: "playlists.of-channel",
  answer: "private",
  by: "anyone",
  row: "playlists.list",
  uses: ["channels.list"],
  run: async (ctx, { id }) => {
    const { title } = await findChannel(ctx, { id });
    return playlistsList.open(ctx, { channelId: id, name: title });
  },
});

export const listActions = [
  ...playlistsList.actions,
  ...itemsList.actions,
  items,
  uploadsOf,
  ofChannel,
] as const;
