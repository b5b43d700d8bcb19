import {
  action,
  type Button,
  type Ctx,
  matching,
  notConnected,
  type OptionsOf,
  option,
  type Reply,
  type ReplyFile,
  type Suggest,
} from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import {
  afterCharge,
  type CutoutSource,
  cutOutOne,
  cutoutOf,
  foundSubject,
} from "../cutout/index.ts";
import { twoBackdrops } from "./changes.ts";
import {
  offeredGrounds,
  pictureGround,
  readBackdrop,
  sides,
  startingDesign,
  type ThumbnailDesign,
} from "./design.ts";
import { type EditorNote, editor } from "./editor.ts";
import { composeCarried, fitCarried } from "./subject.ts";

const suggestBackdrops: Suggest = async (typed, { words }) =>
  matching(
    typed,
    offeredGrounds(words).map(({ name, label }) => ({ title: label, value: name })),
  ).map(({ title, value }) => ({ name: title, value }));

/** The options of `/background thumbnail`. */
export const options = {
  image: option.attachment({ required: true }),
  title: option.text({ max: 100 }),
  background: option.text({ max: 60, suggest: suggestBackdrops }),
  picture: option.attachment({}),
  subject: option.choice({ group: "subjectSide", values: sides }),
} as const;

/**
 * Cuts a picture out, unless it is a cut-out already, and opens the editor with it. The other options are checked
 * before a credit is spent.
 */
export async function make(ctx: Ctx<OptionsOf<typeof options>>): Promise<Reply> {
  const { image } = ctx.options;
  const design = await designIn(ctx);
  const bytes = await ctx.fetchAttachment(image);
  const cutout = await alreadyCutOut(ctx, bytes);
  if (cutout !== undefined) {
    const note = { lines: [ctx.words.say("thumbnails.not_sent")] };
    return editor(ctx, { design, cutout, note });
  }
  if (!ctx.has("background-key")) throw notConnected("background-key", ctx.rank);
  const removal = await cutOutOne(ctx, bytes);
  try {
    const note = costOf(removal.creditsCharged, ctx);
    const { file, ...where } = await fitCarried(ctx, removal.image, foundSubject(removal));
    return await editor(ctx, { design: { ...design, ...where }, cutout: file, note });
  } catch (error) {
    throw afterCharge(error, removal);
  }
}

async function designIn(ctx: Ctx<OptionsOf<typeof options>>): Promise<ThumbnailDesign> {
  const { image, title: given, background, picture, subject } = ctx.options;
  const base = startingDesign(image.filename);
  if (background !== undefined && picture !== undefined) throw twoBackdrops();
  const backdrop =
    picture !== undefined
      ? await pictureGround(ctx, picture)
      : background !== undefined
        ? readBackdrop(background, ctx.words)
        : base.backdrop;
  const title = given?.trim() ?? "";
  return { ...base, backdrop, side: subject ?? base.side, ...(title !== "" && { title }) };
}

/** The picture where it has transparency already: there is nothing to remove, and nothing to pay for. */
async function alreadyCutOut(ctx: Ctx, bytes: Buffer): Promise<ReplyFile | undefined> {
  const { format } = await ctx.images.inspect(bytes, { signal: ctx.signal });
  if (format !== "png" && format !== "webp") return undefined;
  try {
    return (await composeCarried(ctx, bytes)).file;
  } catch (error) {
    // Only the pixels tell.
    if (error instanceof BotError && error.code === "picture_opaque") return undefined;
    throw error;
  }
}

function costOf(charged: number | undefined, { words }: Ctx): EditorNote {
  return charged === undefined ? {} : { cost: words.say("background.credits", { count: charged }) };
}

const begin = action<CutoutSource>({
  name: "thumbnails.begin",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: async (ctx, source) => {
    const { file, ...where } = await fitCarried(ctx, await cutoutOf(ctx, source), source.found);
    return editor(ctx, { design: { ...startingDesign(source.name), ...where }, cutout: file });
  },
});

/** Everybody who sees a cut-out may make a thumbnail of it. */
function buttons({ words }: Ctx, source: CutoutSource): readonly Button[] {
  return [{ label: words.say("thumbnails.make"), press: begin.press(source) }];
}

export const beginning = { buttons, actions: [begin] } as const;
