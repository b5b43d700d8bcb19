import {
  type Card,
  type CardFor,
  type Ctx,
  gone,
  type Notice,
  notice,
  ownVideoParts,
  reaches,
  videoCard,
  videoParts,
} from "../../discord/index.ts";
import type { Video } from "../../video/index.ts";
import { ownChannelId } from "../own-channel.ts";

/** Which buttons a video's card gets for that person. */
export function cardFor({ words, rank, channelId }: Ctx<unknown>): CardFor {
  return { words, isManager: reaches(rank, "manager"), channelId };
}

/**
 * A video's card. What only the linked channel sees is shown to moderators and above, and to them alone; for everybody
 * else such a video is not there.
 */
export async function showVideo(ctx: Ctx<unknown>, id: string): Promise<Card | Notice> {
  const wanted = { part: videoParts, id: [id] };
  const { items } = await ctx.video.call("videos.list", wanted, { signal: ctx.signal });
  const video = items[0] ?? (await hiddenVideo(ctx, id));
  return video === undefined ? gone("video", ctx.words) : videoCard(video, cardFor(ctx));
}

async function hiddenVideo(ctx: Ctx<unknown>, id: string): Promise<Video | undefined> {
  if (!reaches(ctx.rank, "moderator") || !ctx.has("channel")) return undefined;
  const wanted = { part: ownVideoParts, id: [id] };
  // A video of somebody else would be refused these parts, but of those none is hidden that the channel can see.
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  return items[0];
}

/** What is about to be changed or deleted: only the linked channel's own can be. */
export async function readOwnVideo(
  ctx: Ctx<unknown>,
  id: string,
): Promise<{ readonly video: Video } | { readonly refusal: Notice }> {
  const wanted = { part: videoParts, id: [id] };
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video === undefined) return { refusal: gone("video", ctx.words) };
  const own = await ownChannelId(ctx);
  return video.snippet?.channelId === own ? { video } : { refusal: notOwn(ctx) };
}

function notOwn({ words }: Ctx<unknown>): Notice {
  return notice({
    tone: "warning",
    title: words.say("videos.not_own.title"),
    text: words.say("videos.not_own.text"),
    isPrivate: true,
  });
}
