import { type Ctx, captionsName } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Caption, Video } from "../../video/index.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** @throws InputError `video_not_found`, for one unit, before captions cost fifty and more */
export async function videoWithCaptions(ctx: Ctx, id: string): Promise<Video> {
  const wanted = { part: ["snippet"], id: [id] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video !== undefined) return video;
  throw new InputError("there is no such video", {
    code: "video_not_found",
    hint: "The video was deleted, made private, or the link has a slip in it. Check it and try again.",
  });
}

/**
 * The same for writing, which only the video's owner may.
 * @throws InputError `video_not_found`, `not_your_video`
 */
export async function ownVideoWithCaptions(ctx: Ctx, id: string): Promise<Video> {
  const video = await videoWithCaptions(ctx, id);
  const owner = video.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new InputError("the video belongs to another channel", {
    code: "not_your_video",
    hint: "Only the owner of a video can work on its captions. Choose a video of the linked channel.",
  });
}

/** All captions of a video; what the suggestions have read is not read again. */
export async function captionsOfVideo(ctx: Ctx, videoId: string): Promise<readonly Caption[]> {
  const wanted = { part: ["snippet"], videoId } as const;
  return (await ctx.own.call("captions.list", wanted, { signal: ctx.signal })).items;
}

/** Those that are meant by an id, a language's code or its name; all of them when nothing is named. */
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

export function noCaptions(wanted: string): InputError {
  return new InputError("the video has no such captions", {
    code: "captions_not_found",
    hint: "The video has no such captions. Choose one of the suggestions, or a language it has captions in.",
    facts: { wanted: wanted.slice(0, 100) },
  });
}

/** What is about to be changed, by its own names. @throws InputError `captions_not_found` */
export async function namedCaptions(ctx: Ctx, video: string, id: string) {
  const { id: videoId = "", snippet } = await ownVideoWithCaptions(ctx, video);
  const found = (await captionsOfVideo(ctx, videoId)).find((one) => one.id === id);
  if (found === undefined) throw noCaptions(id);
  const title = snippet?.title ?? videoId;
  return { name: captionsName(found.snippet, ctx.words), title, captions: found };
}
