import type { Comment } from "../../video/index.ts";
import type { Suggest, SuggestCtx } from "../declare/suggest.ts";
import { videoOf } from "../draw/links.ts";
import { type Candidate, suggestFor } from "./match.ts";
import { dayName, isSafe } from "./names.ts";

/**
 * Published comments on the video that another option holds, with their first replies; the newest on the linked
 * channel's videos while it holds none. Comments that wait for a decision are never suggested.
 */
export function commentsOf(option: string): Suggest {
  return suggestFor(isSafe, async (ctx) => {
    const about = subjectOf(ctx, option);
    if (about === undefined) return [];
    const { items } = await ctx.video.call("commentThreads.list", {
      part: ["snippet", "replies"],
      textFormat: "plainText",
      maxResults: 50,
      ...about,
    });
    const comments = items.flatMap(({ snippet, replies }) => [
      ...(snippet?.topLevelComment === undefined ? [] : [snippet.topLevelComment]),
      ...(replies?.comments ?? []),
    ]);
    return comments.flatMap((comment) => candidate(ctx, comment) ?? []);
  });
}

function subjectOf({ others, channelId }: SuggestCtx, option: string) {
  const given = others[option];
  const videoId = given === undefined ? undefined : videoOf(given);
  if (videoId !== undefined) return { videoId };
  if (given !== undefined || channelId === undefined) return undefined;
  return { allThreadsRelatedToChannelId: channelId };
}

function candidate(ctx: SuggestCtx, { id, snippet }: Comment): Candidate | undefined {
  if (id === undefined) return undefined;
  const author = snippet?.authorDisplayName;
  const text = snippet?.textDisplay ?? snippet?.textOriginal ?? id;
  const mark = snippet?.parentId === undefined ? "" : "↳ ";
  return {
    value: id,
    title: `${mark}${author === undefined ? "" : `${author}: `}${text}`,
    facts: [dayName(ctx, snippet?.publishedAt)],
  };
}
