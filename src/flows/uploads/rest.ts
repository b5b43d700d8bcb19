import { type Attachment, adviceOf, type Ctx, inShort, type Words } from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { mediaOf, placePicture } from "../branding/index.ts";
import type { CaptionsFile } from "./draft.ts";
import { isText } from "./video-bytes.ts";

/** What files of each format begin with or contain; the formats are those of the service (facts: captions). */
const marks: readonly RegExp[] = [
  /^WEBVTT/u,
  /^Scenarist_SCC/u,
  /<tt[\s:>]/u,
  /^\[Script Info\]|^\[INFORMATION\]|^\{\d+\}\{\d+\}|<SAMI>/iu,
  // SRT, VTT and SBV: times with an arrow or a comma between them.
  /\d:\d\d[.,:]\d{2,3}\s*(?:-->|,)\s*\d+:\d\d/u,
];

const headBytes = 16_384;

/** @throws InputError `captions_empty`, `captions_not_text`, `captions_without_times` */
export function judgeCaptions(bytes: Uint8Array, name: string): void {
  const head = bytes.subarray(0, headBytes);
  const text = new TextDecoder().decode(head).trimStart();
  if (text === "") throw refusal("captions_empty", "The captions file is empty.", name);
  if (!isText(head)) {
    throw refusal("captions_not_text", "The captions file holds no text.", name);
  }
  if (marks.some((mark) => mark.test(text))) return;
  const message = "The captions file has no times. Give SRT, VTT, SBV or TTML.";
  throw refusal("captions_without_times", message, name);
}

function refusal(code: string, message: string, name: string): InputError {
  return new InputError(message, { code, facts: { name } });
}

/** What is still to come once a video is up. */
export interface Rest {
  readonly captions: readonly CaptionsFile[];
  readonly thumbnail?: Attachment | undefined;
}

/** The same with its files read, judged and fitted. */
export interface ReadyRest {
  readonly captions: readonly (CaptionsFile & { readonly bytes: Uint8Array })[];
  readonly thumbnail?: { readonly file: Attachment; readonly media: ReturnType<typeof mediaOf> };
}

/** @throws InputError when a file is not what it should be: before anything is spent on any of them */
export async function readRest(ctx: Ctx, rest: Rest): Promise<ReadyRest> {
  const captions = [];
  for (const each of rest.captions) {
    const bytes = await ctx.fetchAttachment(each.file);
    judgeCaptions(bytes, each.file.filename);
    captions.push({ ...each, bytes });
  }
  const { thumbnail: file } = rest;
  if (file === undefined) return { captions };
  const { fitted } = await placePicture(ctx, file, "thumbnail");
  return { captions, thumbnail: { file, media: mediaOf(fitted) } };
}

/** What was done: the video is there whatever happens here. */
export interface RestDone {
  /** Languages of the captions that are there. */
  readonly languages: readonly string[];
  readonly hasThumbnail: boolean;
  /** What failed, to be tried again. */
  readonly left: Rest;
  /** A sentence for each failure. */
  readonly failures: readonly string[];
}

/** Adds captions and thumbnail to a video; when one fails, the others are added all the same. */
export async function addRest(
  ctx: Ctx,
  videoId: string,
  { captions, thumbnail }: ReadyRest,
): Promise<RestDone> {
  const { words, signal } = ctx;
  const languages: string[] = [];
  const left: CaptionsFile[] = [];
  const failures: string[] = [];
  for (const { file, language, bytes } of captions) {
    const name = words.language(language);
    const title = words.say("videos.upload.adding_captions", { language: name });
    const error = await attempt(ctx, title, () =>
      ctx.own.call("captions.insert", captionsParams(videoId, language, bytes), { signal }),
    );
    if (error === undefined) {
      languages.push(name);
      continue;
    }
    left.push({ file, language });
    const reason = reasonOf(error, words);
    failures.push(words.say("videos.upload.captions_failed", { language: name, ...reason }));
  }
  const error =
    thumbnail &&
    (await attempt(ctx, words.say("videos.upload.setting_thumbnail"), () =>
      ctx.own.call("thumbnails.set", { videoId, media: thumbnail.media }, { signal }),
    ));
  if (error !== undefined) {
    failures.push(words.say("videos.upload.thumbnail_failed", reasonOf(error, words)));
  }
  return {
    languages,
    hasThumbnail: thumbnail !== undefined && error === undefined,
    left: { captions: left, ...(error !== undefined && { thumbnail: thumbnail?.file }) },
    failures,
  };
}

function reasonOf(error: BotError, words: Words) {
  return { reason: inShort(error, words), advice: adviceOf(error, words) };
}

function captionsParams(videoId: string, language: string, bytes: Uint8Array) {
  return {
    part: ["snippet"],
    body: { snippet: { videoId, language, name: "" } },
    media: { data: bytes, type: "application/octet-stream", bytes: bytes.length },
  } as const;
}

/** Why the step failed; undefined when it is done, or was done before. */
async function attempt(
  ctx: Ctx,
  title: string,
  work: () => Promise<unknown>,
): Promise<BotError | undefined> {
  ctx.progress({ title });
  try {
    ctx.signal.throwIfAborted();
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    if (error.facts.isThere === true) return undefined;
    ctx.log.warn("a step after an upload failed", { code: error.code, reason: error.message });
    return error;
  }
}
