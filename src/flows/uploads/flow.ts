import {
  type Asked,
  action,
  ask,
  type Ctx,
  card,
  cut,
  type Form,
  isCancelled,
  join,
  link,
  type Planned,
  pages,
  type Reply,
  readDate,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { type Draft, type Privacy, scheduled } from "./draft.ts";
import { backToForm, type Sketch, uploadForm } from "./form.ts";
import { addRest, type ReadyRest, type Rest, readRest } from "./rest.ts";
import { againButton, restLines, uploadedCard } from "./result.ts";
import { cancelledNotice, send } from "./send.ts";
import { judgeVideo, peek } from "./video-bytes.ts";

/** More than Discord takes today; the service takes far more. */
const maxVideoBytes = 2 * 1024 ** 3;

const uploading = {
  row: "videos.insert",
  uses: ["captions.insert", "thumbnails.set"],
} as const;

/** The calls after the video. */
function restCalls({ captions, thumbnail }: Rest): readonly Planned[] {
  return [
    ["captions.insert", captions.length],
    ["thumbnails.set", thumbnail === undefined ? 0 : 1],
  ];
}

/** A video without its captions and thumbnail is half an upload, so that all of it has to be affordable. */
function requireBudget(ctx: Ctx, draft: Draft): Promise<void> {
  return ctx.afford([["videos.insert"], ...restCalls(draft)]);
}

/** Uploads what the draft says. Captions are expensive, so that a draft with some asks first. */
export async function upload(ctx: Ctx, draft: Draft): Promise<Reply> {
  await requireBudget(ctx, draft);
  return draft.captions.length === 0 ? carryOut(ctx, draft) : askFirst(ctx, draft);
}

/** Everything is checked before the question. */
async function askFirst(ctx: Ctx, draft: Draft): Promise<Reply> {
  const opened = await openVideo(ctx, draft);
  opened.body.destroy();
  await readRest(ctx, draft);
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

async function carryOut(ctx: Ctx, draft: Draft): Promise<Reply> {
  ctx.progress({ title: ctx.words.say("videos.upload.reading") });
  try {
    const opened = await openVideo(ctx, draft);
    const rest = await readRest(ctx, draft).catch((error: unknown) => {
      opened.body.destroy();
      throw error;
    });
    const sent = await send(ctx, draft, opened);
    if ("cancelled" in sent) return sent.cancelled;
    const { video } = sent;
    const done = await addRest(ctx, video.id ?? "", rest);
    const again = addLeft.press({ id: video.id ?? "", title: draft.title, rest: done.left });
    return uploadedCard(ctx, video, { done, again });
  } catch (error) {
    if (isCancelled(ctx.signal)) return cancelledNotice(ctx, false);
    throw error;
  }
}

/** Opens the file and checks its first bytes, before anything is sent anywhere. */
async function openVideo(ctx: Ctx, { video }: Draft) {
  const { bytes, body } = await ctx.openAttachment(video, maxVideoBytes);
  try {
    const type = await judgeVideo(await peek(body, bytes), video.filename);
    return { bytes, body, type };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

const uploadNow = action<Draft>({
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

/** Tries again what failed after the upload. */
const addLeft = action<{ readonly id: string; readonly title: string; readonly rest: Rest }>({
  name: "videos.upload-rest",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "thumbnails.set",
  uses: ["captions.insert"],
  run: async (ctx, { id, title, rest }): Promise<Reply> => {
    const { words } = ctx;
    await ctx.afford(restCalls(rest));
    const ready: ReadyRest = await readRest(ctx, rest);
    const done = await addRest(ctx, id, ready);
    const isWhole = done.failures.length === 0;
    const again = addLeft.press({ id, title, rest: done.left });
    return card({
      title: words.say(isWhole ? "videos.upload.finished" : "videos.upload.done"),
      text: join([link(title, pages.video(id)), ...restLines(ctx, done)]),
      buttons: [
        ...(isWhole ? [] : [againButton(ctx, again)]),
        { label: words.say("cards.watch"), url: pages.video(id) },
      ],
      isPrivate: true,
    });
  },
});

/** The form that opens when no title was given. */
export function openUploadForm(asked: Asked, sketch: Sketch): Form {
  return uploadForm(asked, sketch, submitted.press);
}

const formAgain = action<Sketch>({
  name: "videos.upload-form",
  answer: "form",
  by: "requester",
  row: "videos.insert",
  form: openUploadForm,
});

const submitted = action<Sketch>({
  name: "videos.upload-submitted",
  answer: "private",
  by: "requester",
  ...uploading,
  run: async (ctx, sketch, { fields }) => {
    const typed: Sketch = {
      ...sketch,
      title: fields.title?.trim() ?? "",
      description: fields.description ?? "",
      tags: fields.tags ?? "",
      privacy: (fields.privacy as Privacy | undefined) ?? "private",
      publish: fields.publish?.trim() ?? "",
    };
    try {
      return await upload(ctx, await draftOf(ctx, typed));
    } catch (error) {
      if (!(error instanceof InputError) || isCancelled(ctx.signal)) throw error;
      return backToForm(ctx, error, formAgain.press(typed));
    }
  },
});

/** @throws InputError `title_missing`; as `momentOf` and `scheduled` */
async function draftOf(ctx: Ctx, sketch: Sketch): Promise<Draft> {
  const { title = "", publish, tags = "", privacy, ...rest } = sketch;
  if (title === "") {
    throw new InputError("no title", { code: "title_missing" });
  }
  const publishAt = publish ? await momentOf(ctx, publish) : undefined;
  return {
    ...rest,
    title,
    tags: tagsOf(tags),
    publishAt,
    privacy: scheduled(privacy, publishAt),
  };
}

/** The moment that was typed, in ISO 8601. @throws as `readDate` */
export async function momentOf(ctx: Ctx, text: string): Promise<string> {
  const date = await readDate(text, {
    option: ctx.words.say("videos.edit.publish"),
    must: "future",
    now: ctx.now(),
    tag: ctx.words.tag,
    timeZone: ctx.settings.timeZone ?? "UTC",
  });
  return date.toISOString();
}

export function tagsOf(text: string): readonly string[] {
  const tags = text.split(/[,\n]/u).map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}

export const uploadActions = [uploadNow, addLeft, formAgain, submitted] as const;
