import type { Comment, PlaylistItem } from "../../video/index.ts";
import { readPlaylistRef, readVideoRef } from "../../video-links/index.ts";
import { captionsName } from "../cards/index.ts";
import type { FeatureSuggest, SuggestCtx } from "../context/index.ts";
import {
  candidateOrPastedChoices,
  dayName,
  firstItems,
  hasOwnView,
  hasSafeView,
  maySeePrivate,
  privacyName,
  type SuggestionCandidate,
  suggestFor,
} from "./match.ts";

export const ownVideos: FeatureSuggest = async (typed, ctx) => {
  const playlistId = await readUploadsId(ctx);
  if (playlistId === undefined) return candidateOrPastedChoices(typed, [], readVideoRef);
  const part = ["snippet", "contentDetails", "status"] as const;
  const items = await firstItems(typed, (pageToken) =>
    ctx.video.call("playlistItems.list", { part, playlistId, maxResults: 50, pageToken }),
  );
  const candidates = items.flatMap((item) => videoCandidate(ctx, item) ?? []);
  return candidateOrPastedChoices(typed, candidates, readVideoRef);
};

async function readUploadsId(ctx: SuggestCtx): Promise<string | undefined> {
  const { channelId } = ctx;
  if (channelId === undefined) return undefined;
  const { items } = await ctx.video.call("channels.list", {
    part: ["contentDetails"],
    id: [channelId],
  });
  return items[0]?.contentDetails?.relatedPlaylists?.uploads;
}

/** Without a key the list is read as the channel itself, and members must not see even unlisted videos. */
function videoCandidate(ctx: SuggestCtx, item: PlaylistItem): SuggestionCandidate | undefined {
  const { snippet, contentDetails, status } = item;
  const id = contentDetails?.videoId ?? snippet?.resourceId?.videoId;
  if (id === undefined) return undefined;
  const privacy = status?.privacyStatus;
  if (!maySeePrivate(ctx) && privacy !== undefined && privacy !== "public") return undefined;
  const at = contentDetails?.videoPublishedAt ?? snippet?.publishedAt;
  return {
    value: id,
    title: snippet?.title ?? id,
    facts: [privacyName(ctx, privacy), dayName(ctx, at)],
  };
}

/** The captions of the video in another option, including drafts: for moderators and above. */
export function captionsOf(option: string): FeatureSuggest {
  return suggestFor(hasOwnView, async (ctx) => {
    const videoId = readVideoRef(ctx.others[option] ?? "");
    if (videoId === undefined) return [];
    const { items } = await ctx.video.call("captions.list", { part: ["snippet"], videoId });
    return items.flatMap(({ id, snippet }) => {
      if (id === undefined) return [];
      const title = captionsName(snippet, ctx.words);
      const facts = [dayName(ctx, snippet?.lastUpdated)];
      return [{ value: id, title, facts, also: [snippet?.language] }];
    });
  });
}

/**
 * Published comments on the video in another option, with their first replies; without one, the newest on the linked
 * channel's videos. Comments that wait for a decision are never suggested.
 */
export function commentsOf(option: string): FeatureSuggest {
  return suggestFor(hasSafeView, async (ctx) => {
    const about = commentsFilter(ctx, option);
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
    return comments.flatMap((comment) => commentCandidate(ctx, comment) ?? []);
  });
}

function commentsFilter({ others, channelId }: SuggestCtx, option: string) {
  const value = others[option];
  const videoId = value === undefined ? undefined : readVideoRef(value);
  if (videoId !== undefined) return { videoId };
  if (value !== undefined || channelId === undefined) return undefined;
  return { allThreadsRelatedToChannelId: channelId };
}

function commentCandidate(
  ctx: SuggestCtx,
  { id, snippet }: Comment,
): SuggestionCandidate | undefined {
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

/** The entries of the playlist in another option, by place and title. */
export function playlistItems(option: string): FeatureSuggest {
  return suggestFor(hasSafeView, async (ctx, typed) => {
    const playlistId = readPlaylistRef(ctx.others[option] ?? "");
    if (playlistId === undefined) return [];
    const wanted = { part: ["snippet", "status"], playlistId, maxResults: 50 } as const;
    const items = await firstItems(typed, (pageToken) =>
      ctx.video.call("playlistItems.list", { ...wanted, pageToken }),
    );
    return items.flatMap(({ id, snippet, status }) => {
      const privacy = status?.privacyStatus;
      if (id === undefined || (!maySeePrivate(ctx) && privacy === "private")) return [];
      const place = (snippet?.position ?? 0) + 1;
      const title = snippet?.title ?? id;
      return [{ value: id, title: `${place}. ${title}`, facts: [privacyName(ctx, privacy)] }];
    });
  });
}
