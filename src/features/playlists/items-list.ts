import {
  type Button,
  compact,
  cut,
  gone,
  link,
  type Reply,
  type ReplyItem,
  reaches,
  type Text,
  type Words,
} from "../../discord/index.ts";
import {
  type PlaylistItem,
  smallThumbnail,
  specialPlaylists,
  youtubePages,
} from "../../video/index.ts";
import type { ChannelRef } from "../../video-links/index.ts";
import { formatSince, presses, valueName } from "../cards/index.ts";
import { findChannel } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";
import { actionFor } from "../declarations/index.ts";
import {
  type BrowsableList,
  browse,
  formatFacts,
  itemThumbnail,
  perPage,
  viewAsChannel,
  viewOfIds,
} from "../lists/index.ts";
import { openMoveForm } from "./move.ts";
import { removeListed } from "./remove.ts";
import {
  closedListNotice,
  describeEmptyList,
  isListClosed,
  type OwnersList,
  specialListName,
  specialListOfChannel,
} from "./special-list.ts";

/** Which entries to list: those of a playlist, or some by their own ids; JSON-shaped. */
type ItemsQuery = {
  /** Only the channel itself sees them, such as its likes. */
  readonly isPrivate?: boolean;
} & (
  | {
      readonly playlistId: string;
      readonly name: string;
      readonly videoId?: string | undefined;
      /** Which of YouTube's own lists the playlist is. */
      readonly special?: OwnersList;
      /** The linked channel made it, and a manager opened it, who can change it. */
      readonly isOwn?: boolean;
    }
  | { readonly ids: readonly string[] }
);

export const playlistItemsList: BrowsableList<ItemsQuery> = browse<
  "playlistItems.list",
  ItemsQuery
>({
  name: "playlists.turn-items",
  method: "playlistItems.list",
  params: (query) => {
    const part = ["snippet", "contentDetails", "status"] as const;
    if ("ids" in query) return { part, id: query.ids };
    const { playlistId, videoId } = query;
    return { part, playlistId, videoId };
  },
  title: (query, words) =>
    "ids" in query ? words.say("playlists.show.chosen") : cut(query.name, 100),
  item: (item, { words, ctx, query }) =>
    drawItem(item, words, {
      isManager: reaches(ctx.rank, "manager"),
      isAlone: "ids" in query,
      isOwn: "isOwn" in query && query.isOwn === true,
    }),
  empty: (words, query) => {
    if ("ids" in query) return words.say("playlists.show.none_of_these");
    const { special, videoId } = query;
    // YouTube may only pretend that the list is empty, so whether the video is in it is unknown as well.
    if (special === "watchHistory" || special === "watchLater")
      return describeEmptyList(special, words);
    return words.say(videoId === undefined ? "playlists.show.empty" : "playlists.show.absent");
  },
  columns: {
    place: ({ snippet }) => (snippet?.position ?? 0) + 1,
    title: "snippet.title",
    videoId: "contentDetails.videoId",
    channel: "snippet.videoOwnerChannelTitle",
    channelId: "snippet.videoOwnerChannelId",
    addedAt: "snippet.publishedAt",
    publishedAt: "contentDetails.videoPublishedAt",
    privacy: "status.privacyStatus",
    note: "contentDetails.note",
    itemId: "id",
    playlistId: "snippet.playlistId",
    url: ({ contentDetails }) =>
      contentDetails?.videoId === undefined
        ? undefined
        : youtubePages.video(contentDetails.videoId),
  },
  isPrivate: ({ isPrivate }) => isPrivate === true,
  // Three buttons each: five of them would not fit into a message.
  perPage: (query) => ("isOwn" in query && query.isOwn === true ? 4 : perPage),
});

interface ItemView {
  readonly isManager: boolean;
  /** It is shown outside of its playlist, so it links to it. */
  readonly isAlone: boolean;
  /** Its playlist is one that the linked channel made. */
  readonly isOwn: boolean;
}

function drawItem(item: PlaylistItem, words: Words, view: ItemView): ReplyItem {
  const { isAlone, isManager, isOwn } = view;
  const { snippet, contentDetails, status } = item;
  const id = contentDetails?.videoId ?? snippet?.resourceId?.videoId ?? "";
  const place = (snippet?.position ?? 0) + 1;
  const title = snippet?.title ?? words.say("common.untitled");
  const owner = snippet?.videoOwnerChannelTitle;
  const privacy = status?.privacyStatus;
  const added = formatSince(snippet?.publishedAt);
  const facts: readonly (Text | undefined)[] = [
    owner === undefined ? undefined : cut(owner, 60),
    privacy === "private" || privacy === "unlisted"
      ? valueName(words, "privacyStatus", privacy)
      : undefined,
    added === undefined ? undefined : words.md("playlists.show.added", { when: added }),
    isAlone && snippet?.playlistId !== undefined
      ? link(words.say("playlists.show.playlist"), youtubePages.playlist(snippet.playlistId))
      : undefined,
  ];
  return {
    title: link(cut(`${words.number(place)}. ${title}`, 90), youtubePages.video(id)),
    lines: [
      ...formatFacts(facts),
      ...(contentDetails?.note ? [cut(contentDetails.note, 280)] : []),
    ],
    ...itemThumbnail(title, smallThumbnail(snippet?.thumbnails), words),
    buttons: compact<Button>([
      // An entry whose video was deleted keeps its place and has no owner.
      owner !== undefined && {
        label: words.say("cards.details"),
        press: presses.video.details(id),
      },
      owner !== undefined &&
        isManager &&
        !isOwn && {
          label: words.say("cards.add_to_playlist"),
          press: presses.video.addToPlaylist([id]),
        },
      ...entryButtons(item, { title, place }, words, view),
    ]),
  };
}

/** What managers can do with an entry of the channel's own playlist. */
function entryButtons(
  { id: item, snippet }: PlaylistItem,
  { title, place }: { readonly title: string; readonly place: number },
  words: Words,
  { isManager, isOwn }: ItemView,
): readonly Button[] {
  const playlist = snippet?.playlistId;
  if (!isManager || !isOwn || item === undefined || playlist === undefined) return [];
  const entry = { playlist, item, title: cut(title, 100), place };
  return [
    { label: words.say("playlists.move.button"), press: openMoveForm.press(entry) },
    // It asks before it removes anything, so it is not red yet.
    { label: words.say("playlists.remove.button"), press: removeListed.press({ playlist, item }) },
  ];
}

/** The videos of a playlist. Those of YouTube's own lists are only for people who may read as the channel. */
export async function openItems(ctx: Ctx, playlistId: string, videoId?: string): Promise<Reply> {
  const special = specialListOfChannel(ctx, playlistId);
  if (special !== undefined && special !== "uploads") return openSpecial(ctx, special, videoId);
  const wanted = { part: ["snippet", "status"], id: [playlistId], hl: ctx.hl } as const;
  const { words, signal } = ctx;
  const readAs = async (view: Ctx) =>
    (await view.video.call("playlists.list", wanted, { signal })).items[0];
  const shown = await readAs(ctx);
  // Private ones are found by their channel only, and shown to its moderators in a private answer.
  const isTried = shown === undefined && reaches(ctx.rank, "moderator") && ctx.has("channel");
  const view = isTried ? await viewAsChannel(ctx) : ctx;
  const playlist = isTried ? await readAs(view) : shown;
  if (playlist === undefined) return gone("playlist", words);
  const { localized, title } = playlist.snippet ?? {};
  const name = localized?.title ?? title ?? words.say("common.untitled");
  const isPrivate = isTried || playlist.status?.privacyStatus === "private";
  const isTheirs = playlist.snippet?.channelId === ctx.channelId;
  const isOwn = special === undefined && isTheirs && reaches(ctx.rank, "manager");
  return playlistItemsList.open(view, {
    playlistId,
    name,
    videoId,
    ...(isOwn && { isOwn }),
    ...(isPrivate && { isPrivate }),
  });
}

/** What a channel has uploaded, newest first. */
export async function openUploads(ctx: Ctx, ref: ChannelRef | undefined): Promise<Reply> {
  const { words } = ctx;
  const { title, channel } = await findChannel(ctx, ref, ["contentDetails"]);
  const playlistId = channel.contentDetails?.relatedPlaylists?.uploads;
  if (playlistId === undefined) return gone("playlist", words);
  const name = words.say("playlists.uploads.title", { channel: cut(title, 80) });
  return playlistItemsList.open(ctx, { playlistId, name });
}

/**
 * What the linked channel likes, has watched or wants to watch, as its owner sees it. Says so if YouTube does not
 * show the list to apps.
 * @throws as `viewAsChannel`
 */
export async function openSpecial(ctx: Ctx, special: OwnersList, videoId?: string): Promise<Reply> {
  const own = await viewAsChannel(ctx);
  const { words, signal } = own;
  const { [special]: playlistId } = await specialPlaylists(own.own, { signal });
  if (playlistId === undefined) return closedListNotice(special, words);
  const name = specialListName(special, words);
  const query = { playlistId, name, videoId, special, isPrivate: true };
  return playlistItemsList.open(own, query).catch((error: unknown) => {
    if (isListClosed(error)) return closedListNotice(special, words);
    throw error;
  });
}

/** Entries by their own ids, from any playlists. */
export async function openEntries(
  ctx: Ctx<{ readonly entries: readonly string[] }>,
): Promise<Reply> {
  const { entries: ids } = ctx.options;
  const { view, isPrivate } = await viewOfIds(ctx, "playlistItems.list", ids);
  return playlistItemsList.open(view, { ids, isPrivate });
}

const items = actionFor(presses.playlist.items, {
  method: "playlistItems.list",
  uses: ["playlists.list", "channels.list"],
  run: (ctx, { id }) => openItems(ctx, id),
});

const showUploads = actionFor(presses.channel.uploads, {
  method: "playlistItems.list",
  uses: ["channels.list"],
  run: openUploads,
});

/** The buttons on other cards that open lists of entries. */
export const openItemsActions = [items, showUploads] as const;
