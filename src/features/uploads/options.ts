import type { Attachment, Form, Reply, RequestInfo } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import type { Extra } from "../extra/index.ts";
import {
  captionsLanguageOf,
  privacyUntilPublished,
  readCaptionsFiles,
  readVideoFile,
  requireFilledFile,
  requireVideoFile,
  type UploadDraft,
  type VideoPrivacy,
} from "./draft.ts";
import { openUploadForm, uploadVideo } from "./upload.ts";

/** The command's options for an upload. */
interface UploadOptions {
  readonly video?: Attachment | undefined;
  readonly link?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly privacy?: VideoPrivacy | undefined;
  readonly publish?: Date | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly thumbnail?: Attachment | undefined;
  readonly captions?: Attachment | undefined;
  readonly captions_language?: string | undefined;
  readonly more_captions?: Attachment | undefined;
  readonly more_language?: string | undefined;
  readonly kids?: boolean | undefined;
  readonly notify?: boolean | undefined;
  readonly language?: string | undefined;
  readonly license?: string | undefined;
  readonly synthetic?: boolean | undefined;
}

/** @throws as `readVideoFile`, `readCaptionsFiles`, `privacyUntilPublished` and `uploadVideo` */
export async function uploadFromOptions(ctx: Ctx, options: UploadOptions): Promise<Reply> {
  return uploadVideo(ctx, draftOf(options, ctx.extra));
}

function draftOf(options: UploadOptions, extra: Extra): UploadDraft {
  const { title = "", tags, publish, privacy } = options;
  const publishAt = publish?.toISOString();
  return {
    ...sketchOf(options),
    captions: readCaptionsFiles(captionsPairs(options)),
    video: requireVideoFile(readVideoFile(options)),
    title,
    tags,
    publishAt,
    privacy: privacyUntilPublished(privacy, publishAt),
    extra,
  };
}

/**
 * The form for what the options left out; undefined if they have a video and a title. It opens before the server's time
 * zone is known, so dates stay as they were typed.
 */
export function formFromOptions(
  request: RequestInfo,
  options: UploadOptions & { readonly extra?: Extra },
): Form | undefined {
  const { title, tags, publish, privacy, captions, extra = { query: {}, body: {} } } = options;
  const video = readVideoFile(options);
  if (title !== undefined && video !== undefined) return undefined;
  const own = captions && captionsLanguageOf(captions, request.words.tag);
  const [[, language = own], more] = captionsPairs(options);
  return openUploadForm(request, {
    ...sketchOf(options),
    captions: readCaptionsFiles([[captions, captions && language], more]),
    captionsLanguage: language,
    video,
    title,
    tags: tags?.join(", "),
    privacy,
    publish: publish && String(publish),
    extra,
  });
}

function captionsPairs(options: UploadOptions) {
  const { captions, captions_language, more_captions, more_language } = options;
  return [
    [captions, captions_language],
    [more_captions, more_language],
  ] as const;
}

/** The part of a draft that needs no reading. */
function sketchOf(options: UploadOptions) {
  const { thumbnail } = options;
  return {
    description: options.description,
    categoryId: options.category,
    language: options.language,
    isForKids: options.kids,
    isSynthetic: options.synthetic,
    license: options.license,
    notifies: options.notify,
    thumbnail: thumbnail && requireFilledFile(thumbnail),
  };
}
