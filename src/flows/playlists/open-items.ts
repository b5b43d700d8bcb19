import { action, type ChannelRef, type Ctx, cut, gone, type Reply } from "../../discord/index.ts";
import { specialPlaylists } from "../../video/index.ts";
import { findChannel } from "../find.ts";
import { ownView } from "../own-view.ts";
import { viewOfIds } from "../view-of-ids.ts";
import { itemsList } from "./items-list.ts";
import { closedNotice, isClosing, ownSpecial, specialName, type WatchedList } from "./special.ts";

/** The videos of a playlist, by its id; those of the service's own lists for their channel's people alone. */
export async function openItems(
  ctx: Ctx<unknown>,
  playlistId: string,
  videoId?: string,
): Promise<Reply> {
  const special = ownSpecial(ctx, playlistId);
  if (special !== undefined && special !== "uploads") return openSpecial(ctx, special, videoId);
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
 * What the linked channel likes, has watched or means to watch, as its owner sees it; where the service keeps the list
 * closed, that is said.
 * @throws as `ownView`
 */
export async function openSpecial(
  ctx: Ctx<unknown>,
  special: WatchedList,
  videoId?: string,
): Promise<Reply> {
  const own = await ownView(ctx);
  const { words, signal } = own;
  const { [special]: playlistId } = await specialPlaylists(own.own, { signal });
  if (playlistId === undefined) return closedNotice(special, words);
  const name = specialName(special, words);
  const query = { playlistId, name, videoId, special, isPrivate: true };
  return itemsList.open(own, query).catch((error: unknown) => {
    if (isClosing(error)) return closedNotice(special, words);
    throw error;
  });
}

/** Entries by their own ids, from whichever playlists. */
export async function openEntries(ctx: Ctx<unknown>, ids: readonly string[]): Promise<Reply> {
  const { view, isPrivate } = await viewOfIds(ctx, "playlistItems.list", ids);
  return itemsList.open(view, { ids, isPrivate });
}

const items = action<{ readonly id: string }>({
  name: "playlists.items",
  answer: "private",
  by: "anyone",
  row: "playlistItems.list",
  uses: ["playlists.list", "channels.list"],
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

/** Opens entries by whatever names them. */
export const openActions = [items, uploadsOf] as const;
