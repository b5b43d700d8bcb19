import {
  type Attachment,
  type Button,
  type OptionsOf,
  type Reply,
  typedText,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { ServiceReadyPicture } from "../../images/index.ts";
import type { Ctx, FeatureSuggest } from "../context/index.ts";
import {
  addChargeToError,
  alreadyTransparent,
  type CutoutSource,
  cutOutOne,
  describeCharge,
  prepareOne,
  readCutout,
  readFoundSubject,
  removeAnywayButton,
} from "../cutout/index.ts";
import { action, option } from "../declarations/index.ts";
import { plainAttachment } from "../options/index.ts";
import { matchCandidates } from "../suggestions/index.ts";
import { composeEditorCutout, fitEditorCutout } from "./carried-cutout.ts";
import { thumbnailChanges, twoBackdropsError } from "./changes.ts";
import {
  createThumbnailDesign,
  offeredGrounds,
  plainTitle,
  readPictureGround,
  readThumbnailGround,
  subjectSides,
  type ThumbnailDesign,
} from "./design.ts";
import { drawThumbnailEditor } from "./editor.ts";
import { thumbnailSetter } from "./set-thumbnail.ts";

const suggestBackdrops: FeatureSuggest = async (typed, { words }) =>
  matchCandidates(
    typed,
    offeredGrounds(words).map(({ name, label }) => ({ title: label, value: name })),
  ).map(({ title, value }) => ({ name: title, value }));

/** The options of `/background thumbnail`. */
const thumbnailOptions = {
  image: option.attachment({ required: true }),
  title: option.text({ max: 100 }),
  background: option.text({ max: 60, suggest: suggestBackdrops }),
  picture: option.attachment({}),
  subject: option.choice({ group: "subjectSide", values: subjectSides }),
} as const;

/**
 * Cuts a picture out, unless it is transparent already, and opens the editor. The other options are checked before a
 * credit is spent.
 */
async function makeThumbnail(ctx: Ctx<OptionsOf<typeof thumbnailOptions>>): Promise<Reply> {
  const { image } = ctx.options;
  const design = await designIn(ctx);
  const bytes = await ctx.fetchAttachment(image);
  const prepared = await prepareOne(ctx, bytes);
  if (!prepared.isCutOut) {
    await requireWritable(ctx, design.title);
    return cutOutFirst(ctx, design, prepared);
  }
  const { file } = await composeEditorCutout(ctx, bytes);
  const anyway = removeAnywayButton(
    ctx,
    removeAnyway.press({ design, picture: plainAttachment(image) }),
    { megapixels: (prepared.width * prepared.height) / 1e6 },
  );
  return drawThumbnailEditor(ctx, {
    design: { ...design, isTrimmed: true },
    cutout: file,
    note: {
      lines: [alreadyTransparent(ctx)],
      buttons: ctx.has("background-key") ? [anyway] : [],
    },
  });
}

async function cutOutFirst(
  ctx: Ctx,
  design: ThumbnailDesign,
  prepared: ServiceReadyPicture,
): Promise<Reply> {
  const removal = await cutOutOne(ctx, prepared);
  try {
    const note = { cost: describeCharge(removal, ctx.words) };
    const { file, ...where } = await fitEditorCutout(ctx, removal.image, readFoundSubject(removal));
    return await drawThumbnailEditor(ctx, { design: { ...design, ...where }, cutout: file, note });
  } catch (error) {
    throw addChargeToError(ctx, error, removal);
  }
}

/** Cuts a picture out that was transparent already, because somebody wants to pay for it. */
const removeAnyway = action<{ readonly design: ThumbnailDesign; readonly picture: Attachment }>({
  name: "thumbnails.remove-anyway",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, { design, picture }) =>
    cutOutFirst(ctx, design, await prepareOne(ctx, await ctx.fetchAttachment(picture))),
});

/** Before a credit is spent. @throws InputError `title_letters` */
async function requireWritable({ images, signal }: Ctx, title: string | undefined): Promise<void> {
  if (title === undefined) return;
  const missing = await images.unwritable(plainTitle(title), { signal });
  if (missing.length === 0) return;
  throw new InputError("a title with characters that no font has", {
    code: "title_letters",
    facts: { characters: typedText(missing.slice(0, maxNamedCharacters).join(" ")) },
  });
}

const maxNamedCharacters = 10;

async function designIn(ctx: Ctx<OptionsOf<typeof thumbnailOptions>>): Promise<ThumbnailDesign> {
  const { image, title: titleText, background, picture, subject } = ctx.options;
  const base = createThumbnailDesign(image.filename);
  if (background !== undefined && picture !== undefined) throw twoBackdropsError();
  const backdrop =
    picture !== undefined
      ? await readPictureGround(ctx, picture)
      : background !== undefined
        ? readThumbnailGround(background, ctx.words)
        : base.backdrop;
  const title = titleText?.trim() ?? "";
  return { ...base, backdrop, side: subject ?? base.side, ...(title !== "" && { title }) };
}

const begin = action<CutoutSource>({
  name: "thumbnails.begin",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: async (ctx, source) => {
    const { file, ...where } = await fitEditorCutout(
      ctx,
      await readCutout(ctx, source),
      source.found,
    );
    return drawThumbnailEditor(ctx, {
      design: { ...createThumbnailDesign(source.name), ...where },
      cutout: file,
    });
  },
});

/** Making a thumbnail from a cut-out, which everybody can do, and setting it for a video, which managers can do. */
export const thumbnailMaker = {
  /** The buttons below a cut-out: everybody who sees it can make a thumbnail of it. */
  buttons: ({ words }: Ctx, source: CutoutSource): readonly Button[] => [
    { label: words.say("thumbnails.make"), press: begin.press(source) },
  ],
  options: thumbnailOptions,
  make: makeThumbnail,
  actions: [begin, removeAnyway, ...thumbnailChanges, ...thumbnailSetter.actions],
} as const;
