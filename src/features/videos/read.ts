import { gone, type Notice, notice, reaches } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { MethodParams, Video } from "../../video/index.ts";
import { videoParts } from "../cards/index.ts";
import { requireOwnChannelId } from "../channels/index.ts";
import type { Ctx } from "../context/index.ts";

/** A video that the person may see; `isHidden`: only the linked channel sees it. */
interface SeenVideo {
  readonly video: Video;
  readonly isHidden: boolean;
}

type VideoRequest = Pick<MethodParams<"videos.list">, "part" | "maxWidth" | "maxHeight">;

export async function readVideo(
  ctx: Ctx,
  id: string,
  wanted: VideoRequest,
  ownParts: VideoRequest["part"] = wanted.part,
): Promise<SeenVideo | undefined> {
  const { signal } = ctx;
  const { items } = await ctx.video.call("videos.list", { ...wanted, id: [id] }, { signal });
  const [video] = items;
  if (video !== undefined) return { video, isHidden: false };
  if (!reaches(ctx.rank, "moderator") || !ctx.has("channel")) return undefined;
  // Asking for the owner's parts is safe here: the only hidden videos that the linked channel sees are its own.
  const own = { ...wanted, part: ownParts, id: [id] };
  const [hidden] = (await ctx.own.call("videos.list", own, { signal })).items;
  return hidden && { video: hidden, isHidden: true };
}

/** A video that is to be changed, deleted, or shown to its owner alone, so it has to be the linked channel's own. */
export async function readOwnVideo(
  ctx: Ctx,
  id: string,
  why: MessageKey = "videos.not_own.text",
): Promise<{ readonly video: Video } | { readonly notice: Notice }> {
  const wanted = { part: videoParts, id: [id] };
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  const { words } = ctx;
  if (video === undefined) return { notice: gone("video", words) };
  if (video.snippet?.channelId === (await requireOwnChannelId(ctx))) return { video };
  const title = words.say("videos.not_own.title");
  return { notice: notice({ tone: "bad", title, text: words.say(why), isPrivate: true }) };
}
