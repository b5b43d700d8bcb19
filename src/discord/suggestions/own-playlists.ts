import { ownersLists } from "../../video/index.ts";
import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { limits } from "../draw/limits.ts";
import { playlistOf } from "../draw/links.ts";
import type { Candidate } from "./match.ts";
import { isOwn, mayKnow, privacyName } from "./names.ts";
import { choicesOrPasted } from "./pasted.ts";

/** The linked channel's playlists, 50 of them. */
export const ownPlaylists: Suggest = async (typed, ctx) => {
  return choicesOrPasted(typed, await playlistsOf(ctx), playlistOf);
};

/** The same with the lists that the service keeps for the channel, for those who may see them. */
export const playlists: Suggest = async (typed, ctx) => {
  const own = await playlistsOf(ctx);
  const special = isOwn(ctx) ? specialsOf(ctx) : [];
  // Behind the channel's own, and still among those that are shown.
  const ahead = limits.suggestions - special.length;
  const all = [...own.slice(0, ahead), ...special, ...own.slice(ahead)];
  return choicesOrPasted(typed, all, playlistOf);
};

function specialsOf({ words }: SuggestCtx): readonly Candidate[] {
  return Object.entries(ownersLists).map(([list, value]) => ({
    value,
    title: words.find(`playlists.special.names.${list}`) ?? value,
    facts: [words.say("playlists.special.about")],
  }));
}

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
