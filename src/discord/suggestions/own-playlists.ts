import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { playlistOf } from "../draw/links.ts";
import type { Candidate } from "./match.ts";
import { isOwn, mayKnow, privacyName } from "./names.ts";
import { choicesOrPasted } from "./pasted.ts";

/** The linked channel's playlists, 50 of them. */
export const ownPlaylists: Suggest = async (typed, ctx) => {
  return choicesOrPasted(typed, await playlistsOf(ctx), playlistOf);
};

async function playlistsOf(ctx: SuggestCtx): Promise<readonly Candidate[]> {
  const { channelId, words } = ctx;
  if (channelId === undefined) return [];
  const { items } = await ctx.video.call("playlists.list", {
    part: ["snippet", "contentDetails", "status"],
    maxResults: 50,
    ...(isOwn(ctx) ? { mine: true } : { channelId }),
  });
  return items.flatMap(({ id, snippet, contentDetails, status }) => {
    const privacy = status?.privacyStatus;
    const isHidden = !mayKnow(ctx) && privacy !== undefined && privacy !== "public";
    if (id === undefined || isHidden) return [];
    const count = contentDetails?.itemCount;
    const size = count === undefined ? undefined : words.say("common.videos", { count });
    return [{ value: id, title: snippet?.title ?? id, facts: [privacyName(ctx, privacy), size] }];
  });
}
