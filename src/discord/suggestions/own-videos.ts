import type { PlaylistItem } from "../../video/index.ts";
import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { videoOf } from "../draw/links.ts";
import type { Candidate } from "./match.ts";
import { dayName, mayKnow, privacyName } from "./names.ts";
import { choicesOrPasted } from "./pasted.ts";

/** The linked channel's newest videos: 50, and 50 more once something is typed. */
export const ownVideos: Suggest = async (typed, ctx) => {
  return choicesOrPasted(typed, await newest(typed, ctx), videoOf);
};

async function newest(typed: string, ctx: SuggestCtx): Promise<readonly Candidate[]> {
  const playlistId = await uploadsOf(ctx);
  if (playlistId === undefined) return [];
  const first = await pageOf(ctx, playlistId);
  const next = first.nextPageToken;
  const second =
    typed === "" || next === undefined ? [] : (await pageOf(ctx, playlistId, next)).items;
  return [...first.items, ...second].flatMap((item) => candidate(ctx, item) ?? []);
}

async function uploadsOf(ctx: SuggestCtx): Promise<string | undefined> {
  const { channelId } = ctx;
  if (channelId === undefined) return undefined;
  const { items } = await ctx.video.call("channels.list", {
    part: ["contentDetails"],
    id: [channelId],
  });
  return items[0]?.contentDetails?.relatedPlaylists?.uploads;
}

function pageOf(ctx: SuggestCtx, playlistId: string, pageToken?: string) {
  return ctx.video.call("playlistItems.list", {
    part: ["snippet", "contentDetails", "status"],
    playlistId,
    maxResults: 50,
    ...(pageToken === undefined ? {} : { pageToken }),
  });
}

/** Without a key the channel itself is asked, and to members even what is unlisted is not told. */
function candidate(ctx: SuggestCtx, item: PlaylistItem): Candidate | undefined {
  const { snippet, contentDetails, status } = item;
  const id = contentDetails?.videoId ?? snippet?.resourceId?.videoId;
  if (id === undefined) return undefined;
  const privacy = status?.privacyStatus;
  if (!mayKnow(ctx) && privacy !== undefined && privacy !== "public") return undefined;
  const at = contentDetails?.videoPublishedAt ?? snippet?.publishedAt;
  return {
    value: id,
    title: snippet?.title ?? id,
    facts: [privacyName(ctx, privacy), dayName(ctx, at)],
  };
}
