import {
  action,
  type Browse,
  type Button,
  browse,
  type ChannelRef,
  type Ctx,
  cut,
  gone,
  type Item,
  link,
  named,
  pages,
  presses,
  type Reply,
  reaches,
  since,
  smallThumbnail,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { AccessError } from "../../errors.ts";
import { type PlaylistItem, specialPlaylists } from "../../video/index.ts";
import { findChannel } from "../find.ts";
import { factLine, picture } from "./lines.ts";

/** The entries of one playlist; JSON-shaped. */
export interface ItemsQuery {
  readonly playlistId: string;
  readonly name: string;
  readonly videoId?: string | undefined;
  /** Of what only the channel itself sees, such as its likes. */
  readonly isPrivate?: boolean;
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
  return {
    title: link(cut(`${words.number(place)}. ${title}`, 90), pages.video(id)),
    lines: [...factLine(facts), ...(contentDetails?.note ? [cut(contentDetails.note, 280)] : [])],
    ...picture(title, smallThumbnail(snippet?.thumbnails), words),
    // An entry whose video is gone keeps its place and tells no owner.
    ...(owner === undefined ? {} : { buttons: buttonsOf(id, words, isManager) }),
  };
}

function buttonsOf(id: string, words: Words, isManager: boolean): readonly Button[] {
  const details = { label: words.say("cards.details"), press: presses.video.details(id) };
  if (!isManager) return [details];
  const press = presses.video.addToPlaylist([id]);
  return [details, { label: words.say("cards.add_to_playlist"), press }];
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
export async function openUploads(ctx: Ctx<unknown>, ref: ChannelRef | undefined): Promise<Reply> {
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

export const itemsActions = [...itemsList.actions, items, uploadsOf] as const;
