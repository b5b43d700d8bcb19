import type { Reply } from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Caption, Video } from "../../video/index.ts";
import { captionsName, presses } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import { actionFor, option } from "../declarations/index.ts";
import { browse } from "../lists/index.ts";
import { captionsOf, ownVideos } from "../suggestions/index.ts";
import { captionsItem } from "./draw.ts";

/** One of a video's captions. */
export const captionsChoice = {
  video: option.video({ required: true, suggest: ownVideos }),
  captions: option.id({
    of: "captions",
    required: true,
    covers: "id",
    suggest: captionsOf("video"),
  }),
};

/** Captions as the states of buttons store them. */
export interface NamedCaptions {
  readonly id: string;
  readonly name: string;
}

/** Reads the video for one unit, before captions cost fifty and more. @throws InputError `video_not_found` */
export async function readCaptionedVideo(ctx: Ctx, id: string): Promise<Video> {
  const wanted = { part: ["snippet"], id: [id] } as const;
  const { items } = await ctx.own.call("videos.list", wanted, { signal: ctx.signal });
  const [video] = items;
  if (video !== undefined) return video;
  throw new InputError("there is no such video", {
    code: "video_not_found",
    facts: { isNamed: true, given: id },
  });
}

/**
 * The same for writing, which only the video's owner may.
 * @throws InputError `video_not_found`, `not_your_video`
 */
export async function readOwnCaptionedVideo(ctx: Ctx, id: string): Promise<Video> {
  const video = await readCaptionedVideo(ctx, id);
  const owner = video.snippet?.channelId;
  if (owner === undefined || ctx.channelId === undefined || owner === ctx.channelId) return video;
  throw new InputError("the video belongs to another channel", { code: "not_your_video" });
}

/** All captions of a video; from the cache if the suggestions have read them. */
export async function readCaptionsOfVideo(ctx: Ctx, videoId: string): Promise<readonly Caption[]> {
  const wanted = { part: ["snippet"], videoId } as const;
  return (await ctx.own.call("captions.list", wanted, { signal: ctx.signal })).items;
}

/** Captions chosen by id, language code or language name; all of them if nothing was chosen. */
export function chooseCaptions(
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
 * The captions that are about to be changed, with their name and their video's title.
 * @throws InputError `captions_not_found`
 */
export async function findOwnCaptions(ctx: Ctx, video: string, id: string) {
  const { id: videoId = "", snippet } = await readOwnCaptionedVideo(ctx, video);
  const found = (await readCaptionsOfVideo(ctx, videoId)).find((one) => one.id === id);
  if (found === undefined) throw noCaptions(id);
  const title = snippet?.title ?? videoId;
  return { name: captionsName(found.snippet, ctx.words), title, captions: found };
}

interface CaptionsQuery {
  readonly id: string;
  readonly title?: string | undefined;
}

const ofVideo = browse<"captions.list", CaptionsQuery>({
  name: "captions.list",
  method: "captions.list",
  params: ({ id }) => ({ part: ["snippet"], videoId: id }),
  title: ({ title = "" }, words) => words.say("captions.list.title", { title }),
  item: captionsItem,
  empty: (words) => words.say("captions.list.empty"),
  columns: {
    id: "id",
    language: "snippet.language",
    name: "snippet.name",
    kind: "snippet.trackKind",
    draft: "snippet.isDraft",
    status: "snippet.status",
    failure: "snippet.failureReason",
    updated: "snippet.lastUpdated",
  },
});

const openFromVideo = actionFor(presses.video.captions, {
  method: "captions.list",
  uses: ["videos.list"],
  run: async (ctx, { id, title }) =>
    title === undefined ? openCaptionsList(ctx, id) : ofVideo.open(ctx, { id, title }),
});

/** @throws as `readCaptionedVideo` */
export async function openCaptionsList(ctx: Ctx, videoId: string): Promise<Reply> {
  const { id = videoId, snippet } = await readCaptionedVideo(ctx, videoId);
  return ofVideo.open(ctx, { id, title: snippet?.title });
}

export const captionsListActions = [...ofVideo.actions, openFromVideo] as const;
