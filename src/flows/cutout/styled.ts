import { type Ctx, type Files, files, join, type Text, type Words } from "../../discord/index.ts";
import type { Composed, ComposeOptions, PictureBox } from "../../images/index.ts";
import { plainAttachment } from "../plain-attachment.ts";
import { resultButtons } from "./buttons.ts";
import { composed } from "./composed.ts";
import { stemOf } from "./files.ts";
import { foregroundOption, foundIn, foundLines } from "./found-subject.ts";
import { backdropOf } from "./plan.ts";
import { remark } from "./remarks.ts";
import { resultFacts } from "./reply.ts";
import { cutoutOf } from "./source.ts";
import type { Look, Work } from "./work.ts";

export interface Styling {
  /** What it is composed of, when it has just come from the service. */
  readonly cutout?: Uint8Array;
  /** What the service charged for that. */
  readonly charged?: number | undefined;
  readonly isPublic?: boolean;
  /** Nothing was changed of the look it had. */
  readonly isAsItWas?: true;
}

/** Composed here, from what was paid for before. */
export async function styled(ctx: Ctx<unknown>, work: Work, styling: Styling = {}): Promise<Files> {
  const { words } = ctx;
  const { look, wishes } = work;
  const { made, source } =
    (await ofWhole(ctx, work)) ?? (await composedAnew(ctx, work, styling.cutout));
  const text = [
    ...(isWorthSaying(made, look)
      ? [remark(`background.fitted.${made.fitted}`, { of: undefined }, words)]
      : []),
    ...subjectLines(work, made, words),
  ];
  const isPublic = styling.isPublic === true;
  const seen = isPublic ? {} : { isPrivate: true, isHere: source.isWhole !== true };
  return files({
    title: words.say(styling.isAsItWas === true ? "background.done.title" : "background.done.look"),
    ...(text.length > 0 && { text: join(text, "\n") }),
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

async function composedAnew(
  ctx: Ctx<unknown>,
  work: Work,
  fresh: Uint8Array | undefined,
): Promise<Drawn> {
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
async function ofWhole(ctx: Ctx<unknown>, { look, source }: Work): Promise<Drawn | undefined> {
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
  { images, attachmentLimit: maxBytes, signal }: Ctx<unknown>,
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

async function layoutOf(ctx: Ctx<unknown>, look: Look): Promise<Omit<ComposeOptions, "maxBytes">> {
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
function styledSource(ctx: Ctx<unknown>, { source }: Work, bytes: Uint8Array): Work["source"] {
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
