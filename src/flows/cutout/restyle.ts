import { priceOf } from "../../background/index.ts";
import {
  action,
  ask,
  type Ctx,
  type Files,
  files,
  join,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import type { Composed, ComposeOptions, PictureBox } from "../../images/index.ts";
import { compact } from "../compact.ts";
import { plainAttachment } from "../plain-attachment.ts";
import { resultButtons } from "./buttons.ts";
import { ready, type Step, send, stepText } from "./cut-out-one.ts";
import { stemOf } from "./files.ts";
import { foregroundOption, foundIn, foundLines, foundSubject } from "./found-subject.ts";
import { composed } from "./make.ts";
import { backdropOf, requestOf } from "./plan.ts";
import { remark, resultFacts } from "./reply.ts";
import { cutoutOf } from "./source.ts";
import type { Look, Work } from "./work.ts";

/** A new look of a result, for the person who wished it; the result itself stays as it is. */
export const restyle = action<Work>({
  name: "background.look",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, work) => orAsk(ctx, work),
});

/** The same in a message that nobody else sees: its look changes in place. */
export const restyleHere = action<Work>({
  name: "background.look-here",
  answer: "update",
  by: "requester",
  wants: ["channel"],
  run: (ctx, work) => styled(ctx, work),
});

/** One of several results, alone. */
export const lookAt = action<{ readonly works: readonly Work[] }>({
  name: "background.pick",
  answer: "private",
  by: "anyone",
  wants: ["channel"],
  run: (ctx, { works }, { values }) => {
    const work = works[Number(values[0] ?? 0)];
    if (work === undefined) throw new TypeError("no such result");
    return orAsk(ctx, work, { isAsItWas: true });
  },
});

/** Cutting out once more for a look that nothing is left of, when somebody has agreed to the price. */
const restylePaid = action<Work>({
  name: "background.look-paid",
  answer: "update",
  by: "requester",
  isOnce: true,
  needs: ["background-key"],
  wants: ["channel"],
  run: async (ctx, work) => {
    const title = ctx.words.say("background.progress.title", { count: 1 });
    const show = (step: Step) => ctx.progress({ title, text: stepText(ctx, step) });
    const { given, wishes } = work;
    show({ at: "reading" });
    const picture = "link" in given ? given : await ready(ctx, given.attachment);
    // Without what the service itself would compose: the look is laid out here.
    const { ground: _, ...plain } = wishes;
    const request = requestOf(plain, "link" in picture ? undefined : picture);
    const removal = await send(ctx, picture, { ...request, format: "zip" }, show);
    const { kept: __, base: ___, isWhole: ____, ...source } = work.source;
    const kept = ctx.keep(removal.image);
    const found = foundSubject(removal, wishes);
    const again = { ...work, source: { ...source, kept, isFlat: true as const, found } };
    return styled(ctx, again, { cutout: removal.image, charged: removal.creditsCharged });
  },
});

/** Shows to all what only one person sees. */
export const post = action<Work>({
  name: "background.post",
  answer: "public",
  by: "requester",
  wants: ["channel"],
  run: async (ctx, work) => {
    const { words } = ctx;
    const file = ctx.attachments[0];
    if (file === undefined) return styled(ctx, work, { isPublic: true });
    const data = await ctx.fetchAttachment(file);
    const alt = words.say("background.alt", { name: work.source.name.slice(0, 200) });
    const own = { ...work, source: { ...work.source, at: 0 } };
    return files({
      title: words.say("background.done.title"),
      files: [{ name: file.filename, data, alt }],
      buttons: resultButtons(ctx, own),
    });
  },
});

export const restyleActions = [restyle, restyleHere, restylePaid, lookAt, post] as const;

/** The price is asked when nothing is left that the look could be made of. */
async function orAsk(ctx: Ctx, work: Work, styling: Styling = {}): Promise<Reply> {
  try {
    return await styled(ctx, work, styling);
  } catch (error) {
    const isGone = error instanceof InputError && goneCodes.has(error.code);
    if (!isGone || !mayCutAgain(work)) throw error;
    const { words } = ctx;
    const credits = priceOf(work.wishes.size);
    return ask({
      title: words.say("background.gone.title"),
      text: words.md("background.gone.text", { name: work.source.name, credits }),
      confirm: {
        label: words.say("background.full.confirm", { credits }),
        style: "success",
        press: restylePaid.press(work),
      },
      isPrivate: true,
    });
  }
}

const goneCodes: ReadonlySet<string> = new Set([
  "cutout_gone",
  "attachment_gone",
  "attachment_unavailable",
  "picture_opaque",
]);

function mayCutAgain({ given, source }: Work): boolean {
  return "link" in given || source.original !== undefined;
}

interface Styling {
  /** What it is composed of, when it has just come from the service. */
  readonly cutout?: Uint8Array;
  /** What the service charged for that. */
  readonly charged?: number | undefined;
  readonly isPublic?: boolean;
  /** Nothing was changed of the look it had. */
  readonly isAsItWas?: true;
}

/** Composed here, from what was paid for before. */
async function styled(ctx: Ctx, work: Work, styling: Styling = {}): Promise<Files> {
  const { words } = ctx;
  const { look, wishes } = work;
  const { made, source } =
    (await ofWhole(ctx, work)) ?? (await composedAnew(ctx, work, styling.cutout));
  const text = compact([
    isWorthSaying(made, look) &&
      remark(`background.fitted.${made.fitted}`, { of: undefined }, words),
    ...subjectLines(work, made, words),
  ]);
  const isPublic = styling.isPublic === true;
  const seen = isPublic ? {} : { isPrivate: true, isHere: source.isWhole !== true };
  return files({
    title: words.say(styling.isAsItWas === true ? "background.done.title" : "background.done.look"),
    ...(text.length > 0 && { text: join(text) }),
    files: [
      {
        name: `${stemOf(wishes.name ?? source.name)}-cutout.${made.format}`,
        data: made.bytes,
        alt: words.say("background.alt", { name: source.name.slice(0, 200) }),
      },
    ],
    footer: [...costOf(styling, words), ...resultFacts(made, words)].join(" · "),
    buttons: resultButtons(ctx, { ...work, source }, seen),
  });
}

interface Drawn {
  readonly made: Composed;
  /** Where the next look starts. */
  readonly source: Work["source"];
}

async function composedAnew(ctx: Ctx, work: Work, fresh: Uint8Array | undefined): Promise<Drawn> {
  const { look, source } = work;
  const bytes = fresh ?? (await cutoutOf(ctx, source));
  const made = await composed(ctx, bytes, {
    ...(await layoutOf(ctx, look)),
    ...foregroundOption(source.found),
    maxBytes: ctx.attachmentLimit,
    signal: ctx.signal,
  });
  return { made, source: styledSource(ctx, work, bytes) };
}

/**
 * A result that the service laid on a background, cropped to where it says the subject is: that takes neither the
 * cut-out nor another call. Undefined for what needs those.
 */
async function ofWhole(ctx: Ctx, { look, source }: Work): Promise<Drawn | undefined> {
  const file = source.base ?? ctx.attachments[source.at];
  const { found = {}, isWhole } = source;
  const isSame = look.ground?.kind === "link" || look.ground?.kind === "glass";
  if (isWhole !== true || !isSame || look.shadow === true || !file) return undefined;
  const bytes = await ctx.fetchAttachment(file);
  const size = await ctx.images.inspect(bytes, { signal: ctx.signal });
  const { foreground } = foregroundOption(foundIn(found, size));
  if (foreground === undefined) return undefined;
  return {
    made: await cropped(
      ctx,
      bytes,
      look.crop === true ? { size: foreground, part: foreground } : { size },
    ),
    source: { ...source, at: 0, base: plainAttachment(file) },
  };
}

/** A part of it, or all. */
async function cropped(
  { images, attachmentLimit: maxBytes, signal }: Ctx,
  bytes: Buffer,
  {
    size,
    part,
  }: { readonly size: Pick<PictureBox, "width" | "height">; readonly part?: PictureBox },
): Promise<Composed> {
  const { width, height } = size;
  const place = { width, height, shape: "inside", ...(part && { part }) } as const;
  const made = await images.fit(bytes, { ...place, maxBytes, signal });
  const fitted = made.width < width ? "smaller" : "asked";
  return { ...made, format: made.format === "jpeg" ? "jpg" : "png", fitted };
}

function costOf({ cutout, charged }: Styling, words: Words): readonly string[] {
  if (cutout === undefined) return [words.say("background.no_charge")];
  return charged === undefined ? [] : [words.say("background.credits", { count: charged })];
}

/** A crop leaves nothing to be said of where the subject is. */
function subjectLines({ look, source }: Work, made: Composed, words: Words): readonly Text[] {
  const { foreground, ...found } = foundIn(source.found ?? {}, made);
  const isWhere = foreground !== undefined && look.crop !== true;
  return foundLines({ ...found, ...(isWhere && { foreground }) }, words);
}

/** Nobody asked for a PNG where the best format was left to us. */
function isWorthSaying(
  made: Composed,
  { format }: Look,
): made is Composed & { readonly fitted: Exclude<Composed["fitted"], "asked"> } {
  return made.fitted === "webp" ? format === "png" : made.fitted !== "asked";
}

async function layoutOf(ctx: Ctx, look: Look): Promise<Omit<ComposeOptions, "maxBytes">> {
  const { ground, crop, shadow, format = "auto" } = look;
  const backdrop = ground && (await backdropOf(ctx, ground));
  return {
    format,
    ...(backdrop !== undefined && { backdrop }),
    ...(crop === true && { crop: { margin: 0 } }),
    ...(shadow === true && { shadow: {} }),
  };
}

/** Where the next look starts: at the same cut-out, never at what has become of it. */
function styledSource(ctx: Ctx, { source }: Work, bytes: Uint8Array): Work["source"] {
  const isKept = source.kept !== undefined && ctx.kept(source.kept) !== undefined;
  const base = source.base ?? (source.isFlat === true ? undefined : ctx.attachments[source.at]);
  return {
    ...source,
    at: 0,
    isFlat: true,
    kept: isKept ? source.kept : ctx.keep(bytes),
    ...(base !== undefined && { base: plainAttachment(base) }),
  };
}
