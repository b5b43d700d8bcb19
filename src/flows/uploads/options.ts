import type { Attachment, Form, Reply, RequestInfo } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";
import type { Extra } from "../extra/index.ts";
import {
  privacyUntilPublished,
  readCaptionsFiles,
  readVideoFile,
  requireFilledFile,
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
    title,
    tags,
    publishAt,
    privacy: privacyUntilPublished(privacy, publishAt),
    extra,
  };
}

/**
 * The form for what the options left out; undefined if they have a title. It opens before the server's time zone is
 * known, so dates stay as they were typed.
 */
export function formFromOptions(
  request: RequestInfo,
  options: UploadOptions & { readonly extra?: Extra },
): Form | undefined {
  const { title, tags, publish, privacy, extra = { query: {}, body: {} } } = options;
  if (title !== undefined) return undefined;
  return openUploadForm(request, {
    ...sketchOf(options),
    tags: tags?.join(", "),
    privacy,
    publish: publish && String(publish),
    extra,
  });
}

/** The part of a draft that needs no reading. */
function sketchOf(options: UploadOptions) {
  const { thumbnail, captions, captions_language, more_captions, more_language } = options;
  return {
    video: readVideoFile(options),
    description: options.description,
    categoryId: options.category,
    language: options.language,
    isForKids: options.kids,
    isSynthetic: options.synthetic,
    license: options.license,
    notifies: options.notify,
    captions: readCaptionsFiles([
      [captions, captions_language],
      [more_captions, more_language],
    ]),
    thumbnail: thumbnail && requireFilledFile(thumbnail),
  };
}
