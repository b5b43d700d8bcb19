import { type Attachment, action, ask, type Ctx, cut, type Reply } from "../../discord/index.ts";
import { captionsCard } from "./draw.ts";
import { field, fileField } from "./fields.ts";
import { ownVideoWithCaptions } from "./find.ts";
import { captionMedia } from "./format.ts";

interface Insert {
  readonly videoId: string;
  readonly language: string;
  readonly name: string;
  readonly isDraft: boolean;
  readonly file: Attachment;
}

export const insert = action<Insert>({
  name: "captions.insert",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.insert",
  run: async (ctx, { file, videoId, language, name, isDraft }) => {
    const snippet = { videoId, language, name, isDraft };
    const { format: _, ...media } = captionMedia(await ctx.fetchAttachment(file), file.filename);
    const params = { part: ["snippet"], body: { snippet }, media } as const;
    const made = await ctx.own.call("captions.insert", params, {
      signal: ctx.signal,
    });
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
export async function askUpload(ctx: Ctx<unknown>, options: UploadOptions): Promise<Reply> {
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
