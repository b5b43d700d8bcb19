import type { Asked, Attachment, Ctx, Extra, Form, Reply } from "../../discord/index.ts";
import { captionsOf, type Draft, kept, type Privacy, scheduled, videoFileOf } from "./draft.ts";
import { openUploadForm, upload } from "./flow.ts";

/** An upload as the options of a command say it. */
interface UploadOptions {
  readonly video?: Attachment | undefined;
  readonly link?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly privacy?: Privacy | undefined;
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

/** @throws as `videoFileOf`, `captionsOf`, `scheduled` and `upload` */
export async function uploadFromOptions(ctx: Ctx, options: UploadOptions): Promise<Reply> {
  return upload(ctx, draftOf(options, ctx.extra));
}

function draftOf(options: UploadOptions, extra: Extra): Draft {
  const { title = "", tags, publish, privacy } = options;
  const publishAt = publish?.toISOString();
  return {
    ...sketchOf(options),
    title,
    tags,
    publishAt,
    privacy: scheduled(privacy, publishAt),
    extra,
  };
}

/**
 * Asks for what the options left out; undefined when they have a title. A form is the first answer, before dates can
 * be read in the server's time zone: they are as they were typed.
 */
export function formFromOptions(
  asked: Asked,
  options: UploadOptions & { readonly extra?: Extra },
): Form | undefined {
  const { title, tags, publish, privacy, extra = { query: {}, body: {} } } = options;
  if (title !== undefined) return undefined;
  return openUploadForm(asked, {
    ...sketchOf(options),
    tags: tags?.join(", "),
    privacy,
    publish: publish && String(publish),
    extra,
  });
}

/** What the form does not hold, and what it begins with. */
function sketchOf(options: UploadOptions) {
  const { thumbnail, captions, captions_language, more_captions, more_language } = options;
  return {
    video: videoFileOf(options),
    description: options.description,
    categoryId: options.category,
    language: options.language,
    isForKids: options.kids,
    isSynthetic: options.synthetic,
    license: options.license,
    notifies: options.notify,
    captions: captionsOf([
      [captions, captions_language],
      [more_captions, more_language],
    ]),
    thumbnail: thumbnail && kept(thumbnail),
  };
}
