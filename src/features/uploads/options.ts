import type { Form, OptionsOf, Reply, RequestInfo } from "../../discord/index.ts";
import type { CtxFor } from "../context/index.ts";
import { option } from "../declarations/index.ts";
import type { Extra } from "../extra/index.ts";
import { categories, futureDates, languages } from "../suggestions/index.ts";
import {
  guessCaptionsLanguage,
  privacyUntilPublished,
  readCaptionsFiles,
  readVideoFile,
  requireFilledFile,
  requireVideoFile,
} from "./draft.ts";
import { openUploadForm, uploadVideo } from "./upload.ts";

export const uploadOptions = {
  video: option.attachment({}),
  link: option.text({ max: 1000 }),
  title: option.field("videos.insert", "snippet.title"),
  description: option.field("videos.insert", "snippet.description"),
  privacy: option.field("videos.insert", "status.privacyStatus"),
  publish: option.date({ must: "future", covers: "status.publishAt", suggest: futureDates }),
  tags: option.field("videos.insert", "snippet.tags"),
  category: option.field("videos.insert", "snippet.categoryId", { suggest: categories }),
  thumbnail: option.attachment({}),
  captions: option.attachment({}),
  captions_language: option.language({ suggest: languages }),
  more_captions: option.attachment({}),
  more_language: option.language({ suggest: languages }),
  kids: option.field("videos.insert", "status.selfDeclaredMadeForKids"),
  notify: option.field("videos.insert", "notifySubscribers"),
  language: option.language({ covers: "snippet.defaultLanguage", suggest: languages }),
  license: option.field("videos.insert", "status.license"),
  synthetic: option.field("videos.insert", "status.containsSyntheticMedia"),
};

type UploadOptions = OptionsOf<typeof uploadOptions>;

/** @throws as `readVideoFile`, `readCaptionsFiles`, `privacyUntilPublished` and `uploadVideo` */
export async function uploadFromOptions(ctx: CtxFor<typeof uploadOptions>): Promise<Reply> {
  const { options, extra } = ctx;
  const { title = "", tags, publish, privacy } = options;
  const publishAt = publish?.toISOString();
  return uploadVideo(ctx, {
    ...createSketch(options),
    captions: readCaptionsFiles(captionsPairs(options)),
    video: requireVideoFile(readVideoFile(options)),
    title,
    tags,
    publishAt,
    privacy: privacyUntilPublished(privacy, publishAt),
    extra,
  });
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
  const own = captions && guessCaptionsLanguage(captions, request.words.tag);
  const [[, language = own], more] = captionsPairs(options);
  return openUploadForm(request, {
    ...createSketch(options),
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
function createSketch(options: UploadOptions) {
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
