import { type Attachment, ask, compact, cut, notice, type Reply } from "../../discord/index.ts";
import type { Caption } from "../../video/index.ts";
import { captionsName, describeChange, yesNo } from "../cards/index.ts";
import type { Ctx, CtxFor } from "../context/index.ts";
import { action, option } from "../declarations/index.ts";
import { languages, ownVideos } from "../suggestions/index.ts";
import { captionsCard, captionsField, captionsFileFields } from "./draw.ts";
import { captionsChoice, findOwnCaptions, readOwnCaptionedVideo } from "./find-captions.ts";
import { readCaptionMedia } from "./format.ts";

async function readMedia(ctx: Ctx, file: Attachment, language: string | undefined) {
  return readCaptionMedia(await ctx.fetchAttachment(file), { name: file.filename, language });
}

interface CaptionsInsert {
  readonly videoId: string;
  /** The video's title; buttons that were posted earlier have none. */
  readonly title?: string | undefined;
  readonly language: string;
  readonly name: string;
  readonly isDraft: boolean;
  readonly file: Attachment;
}

const insert = action<CaptionsInsert>({
  name: "captions.insert",
  isOnce: true,
  method: "captions.insert",
  run: async (ctx, { file, videoId, title, language, name, isDraft }) => {
    const snippet = { videoId, language, name, isDraft };
    const { data, type } = await readMedia(ctx, file, language);
    const media = { data, type };
    const params = { part: ["snippet"], body: { snippet }, media } as const;
    ctx.named(videoId, { title });
    const made = await ctx.own.call("captions.insert", params, { signal: ctx.signal });
    return captionsCard(made, { words: ctx.words, title: ctx.words.say("captions.upload.done") });
  },
});

export const captionsUploadOptions = {
  video: option.video({ required: true, covers: "snippet.videoId", suggest: ownVideos }),
  file: option.attachment({ required: true }),
  language: option.language({ required: true, covers: "snippet.language", suggest: languages }),
  name: option.field("captions.insert", "snippet.name"),
  draft: option.field("captions.insert", "snippet.isDraft"),
};

/** Reads the file before it asks anything, so that a wrong file costs nothing. */
export async function askUploadCaptions(ctx: CtxFor<typeof captionsUploadOptions>): Promise<Reply> {
  const { video, file, language, name = "", draft = false } = ctx.options;
  const { words } = ctx;
  const media = await readMedia(ctx, file, language);
  const { id: videoId = "", snippet } = await readOwnCaptionedVideo(ctx, video);
  return ask({
    title: words.say("captions.upload.ask", { title: cut(snippet?.title ?? videoId, 150) }),
    text: await ctx.price(["captions.insert"]),
    fields: [
      captionsField(words, "captions.fields.language", words.language(language)),
      ...(name === "" ? [] : [captionsField(words, "captions.fields.name", name)]),
      captionsField(words, "captions.draft", words.say(draft ? "common.yes" : "common.no")),
      ...captionsFileFields(words, file, media),
    ],
    confirm: {
      label: words.say("captions.upload.confirm"),
      style: "primary",
      press: insert.press({
        videoId,
        title: snippet?.title,
        language,
        name,
        isDraft: draft,
        file,
      }),
    },
  });
}

interface CaptionsUpdate {
  readonly id: string;
  readonly isDraft?: boolean | undefined;
  readonly file?: Attachment | undefined;
  /** The captions before the change. */
  readonly before: Caption;
}

const update = action<CaptionsUpdate>({
  name: "captions.update",
  isOnce: true,
  method: "captions.update",
  run: async (ctx, { id, isDraft, file, before }) => {
    const media = file && (await readMedia(ctx, file, before.snippet?.language));
    const params = {
      // Without this part YouTube does not change whether it is a draft.
      part: [isDraft === undefined ? ("id" as const) : ("snippet" as const)],
      body: { id, ...(isDraft === undefined ? {} : { snippet: { isDraft } }) },
      ...(media === undefined ? {} : { media: { data: media.data, type: media.type } }),
    };
    const { videoId } = before.snippet ?? {};
    ctx.named(id, { title: captionsName(before.snippet, ctx.words), videoId });
    const made = await ctx.own.call("captions.update", params, { signal: ctx.signal });
    const { words } = ctx;
    const [was = "", is = ""] = [before, made].map((one) => yesNo(words, one.snippet?.isDraft));
    return captionsCard(
      // The answer leaves out the parts that were not requested.
      { ...before, ...made },
      {
        words,
        title: words.say("captions.update.done"),
        changed: [
          ...(isDraft === undefined
            ? []
            : [{ name: words.say("captions.draft"), value: describeChange(words, was, is) }]),
          ...(media === undefined || file === undefined
            ? []
            : captionsFileFields(words, file, media)),
        ],
      },
    );
  },
});

export const captionsUpdateOptions = {
  ...captionsChoice,
  file: option.attachment({}),
  draft: option.field("captions.update", "snippet.isDraft"),
};

export async function askUpdateCaptions(ctx: CtxFor<typeof captionsUpdateOptions>): Promise<Reply> {
  const { video, captions: id, file, draft: isDraft } = ctx.options;
  const { words } = ctx;
  if (file === undefined && isDraft === undefined) {
    return notice({ tone: "bad", title: words.say("captions.update.nothing") });
  }
  // Read before the captions are, so that a wrong file costs nothing.
  const bytes = file && (await ctx.fetchAttachment(file));
  const read = (language?: string) =>
    bytes && readCaptionMedia(bytes, { name: file?.filename ?? "", language });
  await read();
  const { name, title, captions: before } = await findOwnCaptions(ctx, video, id);
  const media = await read(before.snippet?.language);
  if (media === undefined && before.snippet?.isDraft === isDraft) {
    const text = words.say("common.same");
    return notice({ tone: "neutral", title: words.say("videos.edit.nothing"), text });
  }
  return ask({
    title: words.say("captions.update.ask", { title: cut(title, 150) }),
    text: [
      name,
      ...(media === undefined ? [] : [words.say("captions.update.replaces")]),
      await ctx.price(["captions.update"]),
    ].join("\n"),
    fields: compact([
      isDraft !== undefined &&
        captionsField(words, "captions.draft", words.say(isDraft ? "common.yes" : "common.no")),
      ...(media === undefined || file === undefined ? [] : captionsFileFields(words, file, media)),
    ]),
    confirm: {
      label: words.say("captions.update.confirm"),
      style: "primary",
      press: update.press({ id, isDraft, file, before }),
    },
  });
}

export const captionsUploadActions = [insert, update] as const;
