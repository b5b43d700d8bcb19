import {
  card,
  type Form,
  isCancelled,
  join,
  link,
  listedTexts,
  type Reply,
  type RequestInfo,
} from "../../discord/index.ts";
import { InputError, LimitError } from "../../errors.ts";
import { youtubePages } from "../../video/index.ts";
import type { Ctx, PlannedCall } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import { momentText, readMoment, withTimeZone } from "../time-zone/index.ts";
import {
  addCaptionsAndThumbnail,
  type CaptionsAndThumbnail,
  describeAdded,
  fetchCaptions,
  fetchThumbnail,
  type ReadyCaptionsAndThumbnail,
  retryUploadButtons,
  uploadedCard,
} from "./captions-and-thumbnail.ts";
import {
  type CaptionsFile,
  requireUploadTexts,
  requireVideoFile,
  type UploadDraft,
  type VideoPrivacy,
} from "./draft.ts";
import { backToForm, type UploadFormValues, uploadForm, withFormInput } from "./form.ts";
import { type UploadChoice, uploadQuestion } from "./question.ts";
import { cancelledUploadNotice, sendVideo } from "./send-video.ts";
import { openFiles, type RefusedFile } from "./upload-files.ts";

const uploading = {
  method: "videos.insert",
  uses: ["captions.insert", "thumbnails.set"],
} as const;

/** The calls that follow the upload. */
function restCalls({ captions, thumbnail }: CaptionsAndThumbnail): readonly PlannedCall[] {
  return [
    ["captions.insert", captions.length],
    ["thumbnails.set", thumbnail === undefined ? 0 : 1],
  ];
}

/** The units for the captions and the thumbnail have to be there as well: without them the upload is incomplete. */
function requireBudget(ctx: Ctx, draft: UploadDraft): Promise<void> {
  return ctx.afford([["videos.insert"], ...restCalls(draft)]);
}

/** Uploads a draft. Captions are expensive, so a draft with captions asks first. */
export async function uploadVideo(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  requireUploadTexts(draft);
  await requireBudget(ctx, draft);
  return draft.captions.length === 0 ? carryOut(ctx, draft) : askFirst(ctx, draft);
}

/** Asks whether to upload; all files are checked before. */
async function askFirst(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  const opened = await openFiles(ctx, draft);
  if ("refused" in opened) return askForFile(ctx, draft, opened);
  opened.video.body.destroy();
  // Of a file behind a link only its host knows the size.
  const video = { ...draft.video, size: opened.video.bytes };
  return question(ctx, { ...draft, video, captions: withConversions(opened.rest.captions) });
}

/** Captions as the question shows them. */
function withConversions(captions: ReadyCaptionsAndThumbnail["captions"]): readonly CaptionsFile[] {
  return captions.map(({ file, language, media: { converted } }) => ({
    file,
    language,
    ...(converted && { converted }),
  }));
}

function question(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  return uploadQuestion(ctx, draft, {
    confirm: uploadNow.press(draft),
    change: formAgain.press({ ...formValues(ctx, draft), isAgain: true }),
    choose: (what) => choose.press({ what, draft }),
  });
}

/** A draft as the form shows it. */
function formValues(ctx: Ctx, { publishAt, tags, ...draft }: UploadDraft): UploadFormValues {
  return { ...draft, tags: tags?.join(", "), publish: momentText(ctx, publishAt) };
}

/** Says why a file can't be used, with a button to the form, which asks for another one. */
function askForFile(ctx: Ctx, draft: UploadDraft, { refused, error }: RefusedFile): Reply {
  const without = refused === "captions" ? { captions: [] } : { [refused]: undefined };
  const values = { ...formValues(ctx, draft), ...without, refused, isAgain: true };
  return backToForm(ctx, error, formAgain.press(values));
}

async function carryOut(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  ctx.progress({ title: ctx.words.say("videos.upload.reading") });
  try {
    const opened = await openFiles(ctx, draft);
    if ("refused" in opened) return askForFile(ctx, draft, opened);
    const sent = await sendVideo(ctx, draft, opened.video);
    if ("cancelled" in sent) return sent.cancelled;
    const { video } = sent;
    const done = await addCaptionsAndThumbnail(ctx, video.id ?? "", opened.rest);
    const again = addLeft.press({ id: video.id ?? "", title: draft.title, rest: done.left });
    return withTimeZone(ctx, uploadedCard(ctx, video, { done, again }), draft.publishAt);
  } catch (error) {
    if (isCancelled(ctx.signal)) return cancelledUploadNotice(ctx, false);
    throw error;
  }
}

const uploadNow = action<UploadDraft>({
  name: "videos.upload-now",
  isOnce: true,
  ...uploading,
  run: async (ctx, draft) => {
    await requireBudget(ctx, draft);
    return carryOut(ctx, draft);
  },
});

/** Draws the question again with another visibility, or with another language of the captions. */
const choose = action<{ readonly what: UploadChoice; readonly draft: UploadDraft }>({
  name: "videos.upload-choose",
  method: "videos.insert",
  run: async (ctx, { what, draft }, { values: [value = ""] }) => {
    if (what === "privacy") return question(ctx, { ...draft, privacy: value as VideoPrivacy });
    const captions = draft.captions.map((each) => ({ ...each, language: value }));
    const isConverted = captions.some(({ converted }) => converted !== undefined);
    // The language helps to tell the encoding.
    const shown = isConverted ? withConversions(await fetchCaptions(ctx, captions)) : captions;
    return question(ctx, { ...draft, captions: shown });
  },
});

/** Tries again to add what failed after the upload. */
const addLeft = action<{
  readonly id: string;
  readonly title: string;
  readonly rest: CaptionsAndThumbnail;
}>({
  name: "videos.upload-rest",
  isOnce: true,
  method: "thumbnails.set",
  uses: ["captions.insert"],
  run: async (ctx, { id, title, rest }): Promise<Reply> => {
    const { words } = ctx;
    await ctx.afford(restCalls(rest));
    const captions = await fetchCaptions(ctx, rest.captions);
    const thumbnail = await fetchThumbnail(ctx, rest.thumbnail);
    const done = await addCaptionsAndThumbnail(ctx, id, { captions, thumbnail });
    const isWhole = done.failures.length === 0;
    const again = addLeft.press({ id, title, rest: done.left });
    return card({
      title: words.say(isWhole ? "videos.upload.finished" : "videos.upload.done"),
      text: join([link(title, youtubePages.video(id)), ...describeAdded(ctx, done)]),
      buttons: [
        ...retryUploadButtons(ctx, done, again),
        { label: words.say("cards.watch"), url: youtubePages.video(id) },
      ],
      isPrivate: true,
    });
  },
});

/** The form that opens if no video or no title was given. */
export function openUploadForm(request: RequestInfo, sketch: UploadFormValues): Form {
  return uploadForm(request, sketch, submitted.press(sketch));
}

const formAgain = action<UploadFormValues>({
  name: "videos.upload-form",
  answer: "form",
  method: "videos.insert",
  form: openUploadForm,
});

const submitted = action<UploadFormValues>({
  name: "videos.upload-submitted",
  ...uploading,
  run: async (ctx, sketch, input) => {
    const typed = withFormInput(ctx, sketch, input);
    try {
      const draft = await createDraft(ctx, typed);
      await requireBudget(ctx, draft);
      return await askFirst(ctx, draft);
    } catch (error) {
      const isRefused = error instanceof InputError || error instanceof LimitError;
      if (!isRefused || isCancelled(ctx.signal)) throw error;
      // With the files, which a form that is only opened again has not.
      return backToForm(ctx, error, formAgain.press({ ...typed, isAgain: true }));
    }
  },
});

/**
 * The form has no field for who can watch the video, so a time that was typed there decides it.
 * @throws InputError `title_missing`; as `requireVideoFile` and `readMoment`
 */
async function createDraft(ctx: Ctx, sketch: UploadFormValues): Promise<UploadDraft> {
  const {
    title = "",
    publish,
    tags = "",
    privacy = "private",
    video,
    captionsLanguage: _,
    ...rest
  } = sketch;
  if (title === "") throw new InputError("no title", { code: "title_missing" });
  const label = ctx.words.say("videos.edit.publish");
  const publishAt = publish ? await readMoment(ctx, publish, label) : undefined;
  return {
    ...rest,
    video: requireVideoFile(video),
    title,
    tags: listedTexts(tags),
    publishAt,
    privacy: publishAt === undefined ? privacy : "private",
  };
}

export const videoUploadActions = [uploadNow, choose, addLeft, formAgain, submitted] as const;
