import { type Ctx, gone, type Notice, notice, reaches, videoParts } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { Params, Video } from "../../video/index.ts";
import { ownChannelId } from "../channels/index.ts";

/** A video as the person may see it; `isHidden` where nobody but the linked channel sees it. */
export interface SeenVideo {
  readonly video: Video;
  readonly isHidden: boolean;
}

type Wanted = Pick<Params<"videos.list">, "part" | "maxWidth" | "maxHeight">;

export async function readVideo(
  ctx: Ctx,
  id: string,
  wanted: Wanted,
  ownParts: Wanted["part"] = wanted.part,
): Promise<SeenVideo | undefined> {
  const { signal } = ctx;
  const { items } = await ctx.video.call("videos.list", { ...wanted, id: [id] }, { signal });
  const [video] = items;
  if (video !== undefined) return { video, isHidden: false };
  if (!reaches(ctx.rank, "moderator") || !ctx.has("channel")) return undefined;
  // The owner's parts of somebody else's video are refused, but the linked channel sees no hidden videos of others.
  const own = { ...wanted, part: ownParts, id: [id] };
  const [hidden] = (await ctx.own.call("videos.list", own, { signal })).items;
  return hidden && { video: hidden, isHidden: true };
}

/** A video to be changed, deleted, or shown to its owner alone: it has to be the linked channel's own. */
export async function readOwnVideo(
  ctx: Ctx,
  id: string,
  why: MessageKey = "videos.not_own.text",
): Promise<{ readonly video: Video } | { readonly refusal: Notice }> {
  const wanted = { part: videoParts, id: [id] };
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video === undefined) return { refusal: gone("video", ctx.words) };
  const own = await ownChannelId(ctx);
  return video.snippet?.channelId === own ? { video } : { refusal: notOwn(ctx, why) };
}

function notOwn({ words }: Ctx, why: MessageKey): Notice {
  return notice({
    tone: "warning",
    title: words.say("videos.not_own.title"),
    text: words.say(why),
    isPrivate: true,
  });
}
