import {
  type Attachment,
  action,
  ask,
  type Ctx,
  cut,
  notice,
  type Reply,
} from "../../discord/index.ts";
import { captionsCard } from "./draw.ts";
import { field, fileField } from "./fields.ts";
import { namedCaptions } from "./find.ts";
import { captionMedia } from "./format.ts";

interface Update {
  readonly id: string;
  readonly isDraft?: boolean | undefined;
  readonly file?: Attachment | undefined;
}

export const update = action<Update>({
  name: "captions.update",
  answer: "update",
  by: "requester",
  isOnce: true,
  row: "captions.update",
  run: async (ctx, { id, isDraft, file }) => {
    const media =
      file === undefined ? undefined : captionMedia(await ctx.fetchAttachment(file), file.filename);
    const params = {
      // Without the part, whether it is a draft stays as it is.
      part: [isDraft === undefined ? ("id" as const) : ("snippet" as const)],
      body: { id, ...(isDraft === undefined ? {} : { snippet: { isDraft } }) },
      ...(media === undefined ? {} : { media: { data: media.data, type: media.type } }),
    };
    const made = await ctx.own.call("captions.update", params, {
      signal: ctx.signal,
    });
    return captionsCard(made, {
      words: ctx.words,
      title: ctx.words.say("captions.update.done"),
    });
  },
});

interface UpdateOptions {
  readonly video: string;
  readonly captions: string;
  readonly file: Attachment | undefined;
  readonly draft: boolean | undefined;
}

export async function askUpdate(ctx: Ctx<unknown>, options: UpdateOptions): Promise<Reply> {
  const { captions: id, file, draft: isDraft } = options;
  const { words } = ctx;
  if (file === undefined && isDraft === undefined) {
    return notice({ tone: "warning", title: words.say("captions.update.nothing") });
  }
  const media =
    file === undefined ? undefined : captionMedia(await ctx.fetchAttachment(file), file.filename);
  const { name, title } = await namedCaptions(ctx, options.video, id);
  return ask({
    title: words.say("captions.update.ask", { title: cut(title, 150) }),
    text: [
      name,
      ...(media === undefined ? [] : [words.say("captions.update.replaces")]),
      await ctx.price(["captions.update"]),
    ].join("\n"),
    fields: [
      ...(isDraft === undefined
        ? []
        : [field(words, "captions.draft", words.say(isDraft ? "common.yes" : "common.no"))]),
      ...(media === undefined || file === undefined ? [] : [fileField(words, file, media.format)]),
    ],
    confirm: {
      label: words.say("captions.update.confirm"),
      style: "primary",
      press: update.press({ id, isDraft, file }),
    },
  });
}
