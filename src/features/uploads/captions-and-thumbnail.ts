import {
  type Attachment,
  type Button,
  type Card,
  compact,
  describeAdvice,
  describeFailureShortly,
  isCancelled,
  join,
  type Markup,
  type Press,
  type Text,
  time,
  type Words,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { MethodParams, Video } from "../../video/index.ts";
import { isRefusedForGood, mayBatchGoOn } from "../batches/index.ts";
import { fitPictureToPlace, pictureMedia } from "../branding/index.ts";
import { type CaptionMedia, readCaptionMedia } from "../captions/index.ts";
import { cardFor, videoCard } from "../cards/index.ts";
import type { Ctx } from "../context/index.ts";
import type { CaptionsFile } from "./draft.ts";

/** What is added to a video after the upload. */
export interface CaptionsAndThumbnail {
  readonly captions: readonly CaptionsFile[];
  readonly thumbnail?: Attachment | undefined;
}

/** The same with its files read, checked and fitted. */
export interface ReadyCaptionsAndThumbnail {
  readonly captions: readonly (CaptionsFile & { readonly media: CaptionMedia })[];
  readonly thumbnail?:
    | { readonly file: Attachment; readonly media: ReturnType<typeof pictureMedia> }
    | undefined;
}

/** @throws InputError as `readCaptionMedia` */
export async function fetchCaptions(
  ctx: Ctx,
  files: readonly CaptionsFile[],
): Promise<ReadyCaptionsAndThumbnail["captions"]> {
  const captions = [];
  for (const each of files) {
    const bytes = await ctx.fetchAttachment(each.file);
    const { file, language } = each;
    const media = await readCaptionMedia(bytes, { name: file.filename, language });
    captions.push({ file, language, media });
  }
  return captions;
}

/** @throws InputError for a picture that can't be a thumbnail */
export async function fetchThumbnail(
  ctx: Ctx,
  file: Attachment | undefined,
): Promise<ReadyCaptionsAndThumbnail["thumbnail"]> {
  if (file === undefined) return undefined;
  const { fitted } = await fitPictureToPlace(ctx, file, "thumbnail");
  return { file, media: pictureMedia(fitted) };
}

/** What was added. The video is there, whatever happens here. */
interface AddedToVideo {
  /** The languages of the captions that were added. */
  readonly languages: readonly string[];
  readonly hasThumbnail: boolean;
  /** What failed and may work next time; what was refused for good is not in it. */
  readonly left: CaptionsAndThumbnail;
  /** A sentence for each failure. */
  readonly failures: readonly Markup[];
}

/** Adds captions and a thumbnail to a video. If one fails, the others are added all the same. */
export async function addCaptionsAndThumbnail(
  ctx: Ctx,
  videoId: string,
  { captions, thumbnail }: ReadyCaptionsAndThumbnail,
): Promise<AddedToVideo> {
  const { words, signal } = ctx;
  const languages: string[] = [];
  const left: CaptionsFile[] = [];
  const failures: Markup[] = [];
  let failuresInRow: readonly BotError[] = [];
  for (const { file, language, media } of captions) {
    const name = words.language(language);
    const title = words.say("videos.upload.adding_captions", { language: name });
    const { data, type } = media;
    const params: MethodParams<"captions.insert"> = {
      part: ["snippet"],
      body: { snippet: { videoId, language, name: "" } },
      media: { data, type, bytes: data.length },
    };
    const isTried = mayBatchGoOn(failuresInRow);
    const error = isTried
      ? await attempt(ctx, title, () => ctx.own.call("captions.insert", params, { signal }))
      : failuresInRow.at(-1);
    if (error === undefined) {
      languages.push(name);
      failuresInRow = [];
      continue;
    }
    if (isTried) failuresInRow = [...failuresInRow, error];
    if (!isTried || !isRefusedForGood(error)) left.push({ file, language });
    const reason = describeReason(error, words);
    failures.push(words.md("videos.upload.captions_failed", { language: name, ...reason }));
  }
  const error =
    thumbnail &&
    (await attempt(ctx, words.say("videos.upload.setting_thumbnail"), () =>
      ctx.own.call("thumbnails.set", { videoId, media: thumbnail.media }, { signal }),
    ));
  if (error !== undefined) {
    failures.push(words.md("videos.upload.thumbnail_failed", describeReason(error, words)));
  }
  // A channel that may not have thumbnails gets the right once its owner confirms a phone number.
  const mayBeSetLater = error && (error.kind === "access" || !isRefusedForGood(error));
  return {
    languages,
    hasThumbnail: thumbnail !== undefined && error === undefined,
    left: { captions: left, ...(mayBeSetLater && { thumbnail: thumbnail?.file }) },
    failures,
  };
}

function describeReason(error: BotError, words: Words) {
  return { reason: describeFailureShortly(error, words), advice: describeAdvice(error, words) };
}

/** Does one step. Returns why it failed; undefined if it worked, or if it was done before. */
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

/** The uploaded video: who can watch it and when, and what was added to it. */
export function uploadedCard(
  ctx: Ctx,
  video: Video,
  { done, again }: { readonly done: AddedToVideo; readonly again: Press },
): Card {
  const { words } = ctx;
  const { buttons = [], text: _, ...drawn } = videoCard(video, cardFor(ctx));
  const { privacyStatus, publishAt } = video.status ?? {};
  const at = new Date(publishAt ?? 0);
  const seenBy = (["public", "unlisted"] as const).find((one) => one === privacyStatus);
  const visibility =
    publishAt === undefined
      ? words.say(`videos.upload.${seenBy ?? "private"}`)
      : words.md("videos.upload.scheduled", { moment: time(at, "f"), relative: time(at, "R") });
  return {
    ...drawn,
    tone: done.failures.length > 0 ? "warning" : "good",
    author: { name: words.say("videos.upload.done") },
    text: join([visibility, ...describeAdded(ctx, done)]),
    buttons: [...retryUploadButtons(ctx, done, again), ...buttons],
    isPrivate: true,
  };
}

export function describeAdded({ words, signal }: Ctx, done: AddedToVideo): readonly Text[] {
  const { languages, failures } = done;
  return compact([
    languages.length > 0 &&
      words.say("videos.upload.captions_done", { languages: words.list(languages) }),
    done.hasThumbnail && words.say("videos.upload.thumbnail_done"),
    ...(isCancelled(signal) ? [words.say("videos.upload.cancelled_rest")] : failures),
  ]);
}

/** None where everything that failed was refused for good. */
export function retryUploadButtons(
  { words }: Ctx,
  { left: { captions, thumbnail } }: AddedToVideo,
  press: Press,
): readonly Button[] {
  if (captions.length === 0 && thumbnail === undefined) return [];
  return [{ label: words.say("videos.upload.try_again"), style: "primary", press }];
}
