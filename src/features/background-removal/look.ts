import {
  compact,
  type FilesReply,
  files,
  join,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { ComposedCutout, ComposeOptions } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  cutoutFile,
  describeFoundSubject,
  foregroundOption,
  readCutout,
  scaleFoundSubject,
} from "../cutout/index.ts";
import { plainAttachment } from "../options/index.ts";
import { type CutoutLook, type CutoutResult, resultButtons } from "./buttons.ts";
import { marginSides } from "./lengths.ts";
import { composeResult, readCutoutBackdrop } from "./make-picture.ts";
import { formatPictureRemark, formatResultFacts } from "./reply.ts";
import { fileStem } from "./result-files.ts";

/** How a cut-out is composed; read before anything is paid for, because a background picture may be gone. */
type LookLayout = Omit<ComposeOptions, "maxBytes">;

export interface LookOptions {
  /** As `readLayout` has read it; read when absent. */
  readonly layout?: LookLayout;
  /** The cut-out, if it has just come from remove.bg. */
  readonly cutout?: Uint8Array;
  /** What remove.bg charged for it. */
  readonly charged?: number | undefined;
  readonly isPublic?: boolean;
  /** The look is the one that it had before. */
  readonly isAsItWas?: true;
}

/** Composes a result in its look here, from the cut-out that was paid for before. */
export async function drawLook(
  ctx: Ctx,
  work: CutoutResult,
  options: LookOptions = {},
): Promise<FilesReply> {
  const { words } = ctx;
  const { look, wishes } = work;
  const { made, source } =
    (await cropWholeResult(ctx, work)) ?? (await composeLook(ctx, work, options));
  const text = compact([
    isWorthSaying(made, look) &&
      formatPictureRemark(`background.fitted.${made.fitted}`, { of: undefined }, words),
    ...subjectLines(work, made, words),
  ]);
  const { cutout, charged, isPublic = false } = options;
  // Without a new cut-out nothing was charged.
  const cost = compact([
    cutout === undefined
      ? words.say("background.no_charge")
      : charged !== undefined && words.say("background.credits", { count: charged }),
  ]);
  const seen = isPublic ? {} : { isPrivate: true, isHere: source.isWhole !== true };
  return files({
    title:
      options.isAsItWas === true ? resultTitle(work, words) : words.say("background.done.look"),
    ...(text.length > 0 && { text: join(text) }),
    files: [
      {
        name: `${fileStem(wishes.name ?? source.name)}-cutout.${made.format}`,
        data: made.bytes,
        alt: words.say("background.alt", { name: source.name.slice(0, 200) }),
      },
    ],
    footer: [...cost, ...formatResultFacts(made, words)].join(" · "),
    buttons: resultButtons(ctx, { ...work, source }, seen),
  });
}

/** What happened to the picture when the result was made. */
export function resultTitle({ source, look }: CutoutResult, words: Words): string {
  if (source.isOwn !== true) return words.say("background.done.title");
  const hasGround = look.ground !== undefined;
  return words.say(hasGround ? "background.already.with_ground" : "background.already.title");
}

export interface DrawnLook {
  readonly made: ComposedCutout;
  /** What the next look is made from. */
  readonly source: CutoutResult["source"];
}

/** The result in its look, and what the next one is made from. */
export async function composeLook(
  ctx: Ctx,
  work: CutoutResult,
  {
    cutout,
    layout,
    maxBytes = ctx.attachmentLimit,
  }: Pick<LookOptions, "cutout" | "layout"> & { readonly maxBytes?: number },
): Promise<DrawnLook> {
  const { source } = work;
  const bytes = cutout ?? (await readCutout(ctx, source));
  const made = await composeResult(ctx, bytes, {
    ...(layout ?? (await readLayout(ctx, work))),
    ...foregroundOption(source.found),
    maxBytes,
    signal: ctx.signal,
  });
  // The next look is made from the same cut-out, never from what was made of it.
  const isKept = source.kept !== undefined && (await ctx.kept(source.kept)) !== undefined;
  const base = cutoutFile(ctx, source);
  const next = {
    ...source,
    at: 0,
    isFlat: true,
    kept: isKept ? source.kept : await ctx.keep(bytes),
    ...(base !== undefined && { base: plainAttachment(base) }),
  } as const;
  return { made, source: next };
}

/**
 * Crops a result that remove.bg put on a background to where it says the subject is, which takes neither the cut-out
 * nor another call. Undefined for looks that take one.
 */
async function cropWholeResult(
  ctx: Ctx,
  { look, source }: CutoutResult,
): Promise<DrawnLook | undefined> {
  const file = source.base ?? ctx.attachments[source.at];
  const { found = {}, isWhole } = source;
  const isSame = look.ground?.kind === "link" || look.ground?.kind === "glass";
  if (isWhole !== true || !isSame || look.shadow === true || !file) return undefined;
  const bytes = await ctx.fetchAttachment(file);
  const size = await ctx.images.inspect(bytes, { signal: ctx.signal });
  const { foreground } = foregroundOption(scaleFoundSubject(found, size));
  if (foreground === undefined) return undefined;
  const part = look.crop === true ? foreground : undefined;
  const { width, height } = part ?? size;
  const place = { width, height, shape: "inside", ...(part && { part }) } as const;
  const { attachmentLimit: maxBytes, signal } = ctx;
  const made = await ctx.images.fit(bytes, { ...place, maxBytes, signal });
  const format = made.format === "jpeg" ? "jpg" : "png";
  const fitted = made.width < width ? "smaller" : "asked";
  return {
    made: { ...made, format, fitted },
    source: { ...source, at: 0, base: plainAttachment(file) },
  };
}

/** Says nothing about where the subject is in a cropped picture: it fills the picture. */
function subjectLines(
  { look, source }: CutoutResult,
  made: ComposedCutout,
  words: Words,
): readonly Text[] {
  const { foreground, ...found } = scaleFoundSubject(source.found ?? {}, made);
  const isWhere = foreground !== undefined && look.crop !== true;
  return describeFoundSubject({ ...found, ...(isWhere && { foreground }) }, words);
}

/** A WebP instead of a PNG is worth mentioning only if somebody chose PNG. */
function isWorthSaying(
  made: ComposedCutout,
  { format }: CutoutLook,
): made is ComposedCutout & { readonly fitted: Exclude<ComposedCutout["fitted"], "asked"> } {
  return made.fitted === "webp" ? format === "png" : made.fitted !== "asked";
}

/** @throws what `fetchAttachment` throws for a background picture */
export async function readLayout(
  ctx: Ctx,
  { look, source, wishes }: CutoutResult,
): Promise<LookLayout> {
  const { ground, crop, shadow, format = "auto" } = look;
  const margin =
    source.isOwn === true && wishes.cropMargin !== undefined ? marginSides(wishes.cropMargin) : 0;
  const backdrop = ground && (await readCutoutBackdrop(ctx, ground));
  return {
    format,
    ...(backdrop !== undefined && { backdrop }),
    ...(crop === true && { crop: { margin } }),
    ...(shadow === true && { shadow: {} }),
  };
}
