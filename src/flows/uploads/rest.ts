import { type Attachment, adviceOf, type Ctx, inShort } from "../../discord/index.ts";
import { BotError, InputError } from "../../errors.ts";
import { mediaOf, placePicture } from "../branding/picture.ts";
import type { CaptionsFile } from "./draft.ts";
import { isText } from "./video-bytes.ts";

/** What each format of captions begins with or holds; formats of the service (facts: captions). */
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
  if (text === "") throw refused("captions_empty", "The captions file is empty.", name);
  if (!isText(head)) {
    throw refused("captions_not_text", "The captions file holds no text.", name);
  }
  if (marks.some((mark) => mark.test(text))) return;
  const hint = "The captions file has no times. Give SRT, VTT, SBV or TTML.";
  throw refused("captions_without_times", hint, name);
}

function refused(code: string, hint: string, name: string): InputError {
  return new InputError(hint, { code, hint, facts: { name } });
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

/** What came of it: the video is there whatever happens here. */
export interface RestDone {
  /** Languages of the captions that are there. */
  readonly languages: readonly string[];
  readonly hasThumbnail: boolean;
  /** What was not done, to try again. */
  readonly left: Rest;
  /** A sentence for each failure. */
  readonly failures: readonly string[];
}

/** Adds captions and thumbnail to a video; a step that fails holds up none of the others. */
export async function addRest(ctx: Ctx, videoId: string, rest: ReadyRest): Promise<RestDone> {
  const { words, signal } = ctx;
  const languages: string[] = [];
  const left: CaptionsFile[] = [];
  const failures: string[] = [];
  for (const { file, language, bytes } of rest.captions) {
    const name = words.language(language);
    const error = await attempt(
      ctx,
      words.say("videos.upload.adding_captions", { language: name }),
      () => ctx.own.call("captions.insert", captionsParams(videoId, language, bytes), { signal }),
    );
    if (error === undefined) {
      languages.push(name);
      continue;
    }
    left.push({ file, language });
    const told = { language: name, reason: inShort(error, words), advice: adviceOf(error, words) };
    failures.push(words.say("videos.upload.captions_failed", told));
  }
  const { thumbnail } = rest;
  if (thumbnail === undefined) {
    return { languages, hasThumbnail: false, left: { captions: left }, failures };
  }
  const { file, media } = thumbnail;
  const error = await attempt(ctx, words.say("videos.upload.setting_thumbnail"), () =>
    ctx.own.call("thumbnails.set", { videoId, media }, { signal }),
  );
  if (error === undefined) {
    return { languages, hasThumbnail: true, left: { captions: left }, failures };
  }
  const told = { reason: inShort(error, words), advice: adviceOf(error, words) };
  failures.push(words.say("videos.upload.thumbnail_failed", told));
  return { languages, hasThumbnail: false, left: { captions: left, thumbnail: file }, failures };
}

function captionsParams(videoId: string, language: string, bytes: Uint8Array) {
  return {
    part: ["snippet"],
    body: { snippet: { videoId, language, name: "" } },
    media: { data: bytes, type: "application/octet-stream", bytes: bytes.length },
  } as const;
}

/** Its failure; undefined when it is done, or was done before. */
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
