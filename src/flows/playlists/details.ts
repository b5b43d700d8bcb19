import {
  actionFor,
  type Card,
  type Ctx,
  gone,
  playlistCard,
  playlistParts,
  presses,
  type Reply,
  reaches,
} from "../../discord/index.ts";
import type { Playlist } from "../../video/index.ts";
import { create, type NewPlaylist } from "./create.ts";

/** Everything of one playlist. */
export const details = actionFor(presses.playlist.details, {
  answer: "private",
  by: "anyone",
  row: "playlists.list",
  run: async (ctx, { id }) => {
    const wanted = { part: playlistParts, id: [id], hl: ctx.hl };
    const { items } = await ctx.video.call("playlists.list", wanted, { signal: ctx.signal });
    const [playlist] = items;
    return playlist === undefined ? gone("playlist", ctx.words) : cardOf(ctx, playlist);
  },
});

/** Makes a playlist and shows it. @throws as `create` */
export async function createFromOptions(ctx: Ctx, wanted: NewPlaylist): Promise<Reply> {
  return cardOf(ctx, await create(ctx, wanted, ctx.extra));
}

/** Offers to change it only to people who may. */
export function cardOf(ctx: Ctx, playlist: Playlist): Card {
  const isOwn = playlist.snippet?.channelId === ctx.channelId;
  const isManager = isOwn && reaches(ctx.rank, "manager");
  return playlistCard(playlist, { words: ctx.words, isManager });
}
