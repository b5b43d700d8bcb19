import {
  type Attachment,
  action,
  ask,
  type Ctx,
  compact,
  cut,
  describeChange,
  type Field,
  notice,
  type Reply,
  type Words,
  yesNo,
} from "../../discord/index.ts";
import type { Caption } from "../../video/index.ts";
import { captionsCard, field, fileField } from "./draw.ts";
import { findOwnCaptions, ownVideoWithCaptions } from "./find.ts";
import { captionMedia } from "./format.ts";

interface Insert {
  readonly videoId: string;
  readonly language: string;
  readonly name: string;
  readonly isDraft: boolean;
  readonly file: Attachment;
}

const insert = action<Insert>({
  name: "captions.insert",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.insert",
  run: async (ctx, { file, videoId, language, name, isDraft }) => {
    const snippet = { videoId, language, name, isDraft };
    const { format: _, ...media } = captionMedia(await ctx.fetchAttachment(file), file.filename);
    const params = { part: ["snippet"], body: { snippet }, media } as const;
    const made = await ctx.own.call("captions.insert", params, { signal: ctx.signal });
    return captionsCard(made, {
      words: ctx.words,
      title: ctx.words.say("captions.upload.done"),
    });
  },
});

interface UploadOptions {
  readonly video: string;
  readonly file: Attachment;
  readonly language: string;
  readonly name: string | undefined;
  readonly draft: boolean | undefined;
}

/** The file is read before anything is asked, so that a wrong one costs nothing. */
export async function askUpload(ctx: Ctx, options: UploadOptions): Promise<Reply> {
  const { file, language, name = "", draft = false } = options;
  const { words } = ctx;
  const { format } = captionMedia(await ctx.fetchAttachment(file), file.filename);
  const { id: videoId = "", snippet } = await ownVideoWithCaptions(ctx, options.video);
  return ask({
    title: words.say("captions.upload.ask", { title: cut(snippet?.title ?? videoId, 150) }),
    text: await ctx.price(["captions.insert"]),
    fields: [
      field(words, "captions.fields.language", words.language(language)),
      ...(name === "" ? [] : [field(words, "captions.fields.name", name)]),
      field(words, "captions.draft", words.say(draft ? "common.yes" : "common.no")),
      fileField(words, file, format),
    ],
    confirm: {
      label: words.say("captions.upload.confirm"),
      style: "primary",
      press: insert.press({ videoId, language, name, isDraft: draft, file }),
    },
  });
}

interface Update {
  readonly id: string;
  readonly isDraft?: boolean | undefined;
  readonly file?: Attachment | undefined;
  /** What they were. */
  readonly before: Caption;
}

const update = action<Update>({
  name: "captions.update",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.update",
  run: async (ctx, { id, isDraft, file, before }) => {
    const media =
      file === undefined ? undefined : captionMedia(await ctx.fetchAttachment(file), file.filename);
    const params = {
      // Without this part the service leaves it alone whether it is a draft.
      part: [isDraft === undefined ? ("id" as const) : ("snippet" as const)],
      body: { id, ...(isDraft === undefined ? {} : { snippet: { isDraft } }) },
      ...(media === undefined ? {} : { media: { data: media.data, type: media.type } }),
    };
    const made = await ctx.own.call("captions.update", params, { signal: ctx.signal });
    const { words } = ctx;
    const change = draftChange(words, before, made);
    return captionsCard(
      // The answer leaves out what was not asked for.
      { ...before, ...made },
      {
        words,
        title: words.say("captions.update.done"),
        changed: [
          ...(isDraft === undefined ? [] : [change]),
          ...(media === undefined || file === undefined
            ? []
            : [fileField(words, file, media.format)]),
        ],
      },
    );
  },
});

function draftChange(words: Words, before: Caption, after: Caption): Field {
  const [was, is] = [before, after].map(({ snippet }) => yesNo(words, snippet?.isDraft) ?? "");
  return { name: words.say("captions.draft"), value: describeChange(words, was ?? "", is ?? "") };
}

interface UpdateOptions {
  readonly video: string;
  readonly captions: string;
  readonly file: Attachment | undefined;
  readonly draft: boolean | undefined;
}

export async function askUpdate(ctx: Ctx, options: UpdateOptions): Promise<Reply> {
  const { captions: id, file, draft: isDraft } = options;
  const { words } = ctx;
  if (file === undefined && isDraft === undefined) {
    return notice({ tone: "warning", title: words.say("captions.update.nothing") });
  }
  const media =
    file === undefined ? undefined : captionMedia(await ctx.fetchAttachment(file), file.filename);
  const { name, title, captions: before } = await findOwnCaptions(ctx, options.video, id);
  return ask({
    title: words.say("captions.update.ask", { title: cut(title, 150) }),
    text: [
      name,
      ...(media === undefined ? [] : [words.say("captions.update.replaces")]),
      await ctx.price(["captions.update"]),
    ].join("\n"),
    fields: compact([
      isDraft !== undefined &&
        field(words, "captions.draft", words.say(isDraft ? "common.yes" : "common.no")),
      ...(media === undefined || file === undefined ? [] : [fileField(words, file, media.format)]),
    ]),
    confirm: {
      label: words.say("captions.update.confirm"),
      style: "primary",
      press: update.press({ id, isDraft, file, before }),
    },
  });
}

export const uploadActions = [insert, update] as const;
