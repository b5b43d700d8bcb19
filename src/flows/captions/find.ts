import { type Ctx, captionsName } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Caption, Video } from "../../video/index.ts";

/** Captions as buttons remember them. */
export interface NamedCaptions {
  readonly id: string;
  readonly name: string;
}

/** Costs one unit, before captions cost fifty and more. @throws InputError `video_not_found` */
export async function videoWithCaptions(ctx: Ctx, id: string): Promise<Video> {
  const wanted = { part: ["snippet"], id: [id] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video !== undefined) return video;
  throw new InputError("there is no such video", { code: "video_not_found" });
}

/**
 * The same for writing, which only the video's owner may.
 * @throws InputError `video_not_found`, `not_your_video`
 */
export async function ownVideoWithCaptions(ctx: Ctx, id: string): Promise<Video> {
  const video = await videoWithCaptions(ctx, id);
  const owner = video.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new InputError("the video belongs to another channel", { code: "not_your_video" });
}

/** All captions of a video; from the cache, where the suggestions have read them. */
export async function captionsOfVideo(ctx: Ctx, videoId: string): Promise<readonly Caption[]> {
  const wanted = { part: ["snippet"], videoId } as const;
  return (await ctx.own.call("captions.list", wanted, { signal: ctx.signal })).items;
}

/** Those chosen by an id, a language's code or its name; all of them where nothing was named. */
export function chosenCaptions(
  all: readonly Caption[],
  wanted: readonly string[] | undefined,
  languageName: (code: string) => string,
): readonly Caption[] {
  if (wanted === undefined) return all;
  const chosen = wanted.flatMap((each) => {
    const text = each.toLowerCase();
    const found = all.filter(({ id, snippet }) => {
      const code = snippet?.language ?? "";
      return id === each || [code, languageName(code)].some((one) => one.toLowerCase() === text);
    });
    if (found.length === 0) throw noCaptions(each);
    return found;
  });
  return [...new Set(chosen)];
}

function noCaptions(wanted: string): InputError {
  return new InputError("the video has no such captions", {
    code: "captions_not_found",
    facts: { wanted: wanted.slice(0, 100) },
  });
}

/**
 * The captions that are about to be changed, with names for them and their video.
 * @throws InputError `captions_not_found`
 */
export async function findOwnCaptions(ctx: Ctx, video: string, id: string) {
  const { id: videoId = "", snippet } = await ownVideoWithCaptions(ctx, video);
  const found = (await captionsOfVideo(ctx, videoId)).find((one) => one.id === id);
  if (found === undefined) throw noCaptions(id);
  const title = snippet?.title ?? videoId;
  return { name: captionsName(found.snippet, ctx.words), title, captions: found };
}
