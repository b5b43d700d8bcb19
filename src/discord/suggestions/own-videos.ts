import type { PlaylistItem } from "../../video/index.ts";
import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { videoOf } from "../draw/links.ts";
import { type Candidate, firstItems } from "./match.ts";
import { dayName, mayKnow, privacyName } from "./names.ts";
import { choicesOrPasted } from "./pasted.ts";

/** The linked channel's newest videos. */
export const ownVideos: Suggest = async (typed, ctx) => {
  return choicesOrPasted(typed, await newest(typed, ctx), videoOf);
};

async function newest(typed: string, ctx: SuggestCtx): Promise<readonly Candidate[]> {
  const playlistId = await uploadsOf(ctx);
  if (playlistId === undefined) return [];
  const part = ["snippet", "contentDetails", "status"] as const;
  const items = await firstItems(typed, (pageToken) =>
    ctx.video.call("playlistItems.list", { part, playlistId, maxResults: 50, pageToken }),
  );
  return items.flatMap((item) => candidate(ctx, item) ?? []);
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
