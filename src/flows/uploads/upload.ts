import {
  ask,
  card,
  cut,
  type Form,
  isCancelled,
  join,
  link,
  type Reply,
  type RequestInfo,
  readDate,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { pages } from "../../video/index.ts";
import type { Ctx, PlannedCall } from "../context/index.ts";
import { action } from "../declarations/index.ts";
import {
  addCaptionsAndThumbnail,
  type CaptionsAndThumbnail,
  describeAdded,
  type ReadyCaptionsAndThumbnail,
  readCaptionsAndThumbnail,
  retryUploadButton,
  uploadedCard,
} from "./captions-and-thumbnail.ts";
import { privacyUntilPublished, type UploadDraft, type VideoPrivacy } from "./draft.ts";
import { backToForm, type UploadFormValues, uploadForm } from "./form.ts";
import { cancelledUploadNotice, sendVideo } from "./send-video.ts";
import { detectVideoType, peekBytes } from "./video-bytes.ts";

/** More than Discord takes today; the service takes far more. */
const maxVideoBytes = 2 * 1024 ** 3;

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
  await requireBudget(ctx, draft);
  return draft.captions.length === 0 ? carryOut(ctx, draft) : askFirst(ctx, draft);
}

/** Asks whether to upload; all files are checked before. */
async function askFirst(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  const opened = await openVideo(ctx, draft);
  opened.body.destroy();
  await readCaptionsAndThumbnail(ctx, draft);
  const { words } = ctx;
  const { video, captions } = draft;
  const price = await ctx.price(...restCalls(draft));
  return ask({
    title: words.say("videos.upload.ask", { title: cut(draft.title, 100) }),
    text: words.say("videos.upload.ask_text", { price }),
    fields: [
      {
        name: words.say("videos.upload.ask_file"),
        value: `${video.filename} · ${words.bytes(opened.bytes)}`,
      },
      {
        name: words.say("videos.upload.ask_captions"),
        value: words.list(captions.map(({ language }) => words.language(language))),
      },
    ],
    isPrivate: true,
    confirm: {
      label: words.say("videos.upload.confirm"),
      style: "success",
      press: uploadNow.press(draft),
    },
  });
}

async function carryOut(ctx: Ctx, draft: UploadDraft): Promise<Reply> {
  ctx.progress({ title: ctx.words.say("videos.upload.reading") });
  try {
    const opened = await openVideo(ctx, draft);
    const rest = await readCaptionsAndThumbnail(ctx, draft).catch((error: unknown) => {
      opened.body.destroy();
      throw error;
    });
    const sent = await sendVideo(ctx, draft, opened);
    if ("cancelled" in sent) return sent.cancelled;
    const { video } = sent;
    const done = await addCaptionsAndThumbnail(ctx, video.id ?? "", rest);
    const again = addLeft.press({ id: video.id ?? "", title: draft.title, rest: done.left });
    return uploadedCard(ctx, video, { done, again });
  } catch (error) {
    if (isCancelled(ctx.signal)) return cancelledUploadNotice(ctx, false);
    throw error;
  }
}

/** Opens the file and checks its first bytes, before anything is sent. */
async function openVideo(ctx: Ctx, { video }: UploadDraft) {
  const { bytes, body } = await ctx.openAttachment(video, maxVideoBytes);
  try {
    const type = await detectVideoType(await peekBytes(body, bytes), video.filename);
    return { bytes, body, type };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

const uploadNow = action<UploadDraft>({
  name: "videos.upload-now",
  answer: "update",
  by: "requester",
  isOnce: true,
  ...uploading,
  run: async (ctx, draft) => {
    await requireBudget(ctx, draft);
    return carryOut(ctx, draft);
  },
});

/** Tries again to add what failed after the upload. */
const addLeft = action<{
  readonly id: string;
  readonly title: string;
  readonly rest: CaptionsAndThumbnail;
}>({
  name: "videos.upload-rest",
  answer: "update",
  by: "requester",
  isOnce: true,
  method: "thumbnails.set",
  uses: ["captions.insert"],
  run: async (ctx, { id, title, rest }): Promise<Reply> => {
    const { words } = ctx;
    await ctx.afford(restCalls(rest));
    const ready: ReadyCaptionsAndThumbnail = await readCaptionsAndThumbnail(ctx, rest);
    const done = await addCaptionsAndThumbnail(ctx, id, ready);
    const isWhole = done.failures.length === 0;
    const again = addLeft.press({ id, title, rest: done.left });
    return card({
      title: words.say(isWhole ? "videos.upload.finished" : "videos.upload.done"),
      text: join([link(title, pages.video(id)), ...describeAdded(ctx, done)]),
      buttons: [
        ...(isWhole ? [] : [retryUploadButton(ctx, again)]),
        { label: words.say("cards.watch"), url: pages.video(id) },
      ],
      isPrivate: true,
    });
  },
});

/** The form that opens if no title was given. */
export function openUploadForm(request: RequestInfo, sketch: UploadFormValues): Form {
  return uploadForm(request, sketch, submitted.press);
}

const formAgain = action<UploadFormValues>({
  name: "videos.upload-form",
  answer: "form",
  by: "requester",
  method: "videos.insert",
  form: openUploadForm,
});

const submitted = action<UploadFormValues>({
  name: "videos.upload-submitted",
  answer: "private",
  by: "requester",
  ...uploading,
  run: async (ctx, sketch, { fields }) => {
    const typed: UploadFormValues = {
      ...sketch,
      title: fields.title?.trim() ?? "",
      description: fields.description ?? "",
      tags: fields.tags ?? "",
      privacy: (fields.privacy as VideoPrivacy | undefined) ?? "private",
      publish: fields.publish?.trim() ?? "",
    };
    try {
      return await uploadVideo(ctx, await draftOf(ctx, typed));
    } catch (error) {
      if (!(error instanceof InputError) || isCancelled(ctx.signal)) throw error;
      return backToForm(ctx, error, formAgain.press(typed));
    }
  },
});

/** @throws InputError `title_missing`; as `readMoment` and `privacyUntilPublished` */
async function draftOf(ctx: Ctx, sketch: UploadFormValues): Promise<UploadDraft> {
  const { title = "", publish, tags = "", privacy, ...rest } = sketch;
  if (title === "") throw new InputError("no title", { code: "title_missing" });
  const publishAt = publish ? await readMoment(ctx, publish) : undefined;
  return {
    ...rest,
    title,
    tags: readVideoTags(tags),
    publishAt,
    privacy: privacyUntilPublished(privacy, publishAt),
  };
}

/** Reads a typed time and returns it in ISO 8601. @throws as `readDate` */
export async function readMoment(ctx: Ctx, text: string): Promise<string> {
  const date = await readDate(text, {
    option: ctx.words.say("videos.edit.publish"),
    must: "future",
    now: ctx.now(),
    tag: ctx.words.tag,
    timeZone: ctx.settings.timeZone ?? "UTC",
  });
  return date.toISOString();
}

export function readVideoTags(text: string): readonly string[] {
  const tags = text.split(/[,\n]/u).map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}

export const videoUploadActions = [uploadNow, addLeft, formAgain, submitted] as const;
