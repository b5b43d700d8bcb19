import {
  action,
  type Card,
  type Ctx,
  gone,
  playlistCard,
  playlistParts,
  reaches,
} from "../../discord/index.ts";
import type { Playlist } from "../../video/index.ts";

/** Everything of one playlist. */
export const details = action<{ readonly id: string }>({
  name: "playlists.details",
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

/** Only who may change it is offered to. */
export function cardOf(ctx: Ctx, playlist: Playlist): Card {
  const isOwn = playlist.snippet?.channelId === ctx.channelId;
  const isManager = isOwn && reaches(ctx.rank, "manager");
  return playlistCard(playlist, { words: ctx.words, isManager });
}
