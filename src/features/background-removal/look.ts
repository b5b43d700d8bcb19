import {
  type Button,
  compact,
  type FilesReply,
  files,
  join,
  type ReplyFile,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { InputError } from "../../errors.ts";
import { type ComposeOptions, readPictureHead } from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  cutoutFile,
  describeFoundSubject,
  foregroundOption,
  readCutout,
  scaleFoundSubject,
} from "../cutout/index.ts";
import { plainAttachment } from "../options/index.ts";
import {
  type CutoutLook,
  type CutoutResult,
  cutoutActionNames,
  fittedToSend,
  resultButtons,
} from "./buttons.ts";
import { marginSides } from "./lengths.ts";
import { composeResult, type MadePicture, readCutoutBackdrop } from "./make-picture.ts";
import { formatPictureRemark, formatResultFacts } from "./reply.ts";
import { fileStem, packParts, type ResultParts } from "./result-files.ts";
import { maxFileBytes } from "./result-size.ts";

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
    (await readWholeResult(ctx, work, options)) ??
    (await cropWholeResult(ctx, work)) ??
    (await composeLook(ctx, work, options));
  const file = {
    name: `${fileStem(wishes.name ?? source.name)}-cutout.${made.format}`,
    data: made.bytes,
    alt: words.say("background.alt", { name: source.name.slice(0, 200) }),
  };
  const parts = await divideLook(ctx, file, work.part);
  const { fitted: _, part: __, ...rest } = work;
  const next = { ...rest, source, ...(parts === undefined && fittedToSend(made)) };
  const text = compact([
    ...(parts === undefined ? [] : describeParts(parts, file.name, words)),
    isWorthSaying(made, look) &&
      formatPictureRemark(`background.fitted.${made.fitted}`, { of: undefined }, words),
    ...subjectLines(work, made, words),
  ]);
  const { cutout, charged, isPublic = false } = options;
  // Without a new cut-out nothing was charged.
  const cost = compact([
    source.engine === undefined &&
      (cutout === undefined
        ? words.say("background.no_charge")
        : charged !== undefined && words.say("background.credits", { count: charged })),
  ]);
  const seen = isPublic ? {} : { isPrivate: true, isHere: source.isWhole !== true };
  return files({
    title:
      options.isAsItWas === true ? resultTitle(work, words) : words.say("background.done.look"),
    ...(text.length > 0 && { text: join(text) }),
    files: parts?.files ?? [file],
    footer: [...cost, ...formatResultFacts(made, words)].join(" · "),
    buttons: [
      ...(parts === undefined ? [] : nextParts(parts, next, words)),
      ...resultButtons(ctx, next, parts === undefined ? seen : { isPrivate: false, isHere: false }),
    ],
  });
}

/** Undefined if the file can be sent as it is. */
async function divideLook(ctx: Ctx, file: ReplyFile, from = 0): Promise<ResultParts | undefined> {
  if (file.data.byteLength <= maxFileBytes(ctx)) return undefined;
  const isZip = file.name.endsWith(".zip");
  const { unzipCutoutLayers } = await import("../../images/index.ts");
  const layers = isZip ? Object.entries(await unzipCutoutLayers(Buffer.from(file.data))) : [];
  // Layers are unpacked side by side, so they need not be joined.
  const all = isZip
    ? layers.map(([name, data]) => ({ name: layerNames[name as keyof typeof layerNames], data }))
    : [file];
  return packParts(ctx, all, { name: file.name.slice(0, file.name.lastIndexOf(".")), from });
}

const layerNames = { color: "color.jpg", alpha: "alpha.png" } as const;

function describeParts(
  { first, last, count, pieces }: ResultParts,
  name: string,
  words: Words,
): readonly Text[] {
  const [piece = ""] = pieces;
  return compact([
    first === 1
      ? words.say("background.parts.text", { count })
      : words.say("background.parts.rest", { first, last, count }),
    piece !== "" && words.md("background.parts.join", { piece, name }),
  ]);
}

/** A button for the parts that this message has no room for. */
function nextParts(
  { last, count }: ResultParts,
  work: CutoutResult,
  words: Words,
): readonly Button[] {
  if (last === count) return [];
  const press = { action: cutoutActionNames.look, state: { ...work, part: last } };
  const label = words.say("background.parts.next", { first: last + 1, count });
  return [{ label, style: "primary", press }];
}

/** What happened to the picture when the result was made. */
export function resultTitle({ source, look }: CutoutResult, words: Words): string {
  if (source.isOwn !== true) return words.say("background.done.title");
  const hasGround = look.ground !== undefined;
  return words.say(hasGround ? "background.already.with_ground" : "background.already.title");
}

export interface DrawnLook {
  readonly made: MadePicture["result"];
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
    maxBytes,
  }: Pick<LookOptions, "cutout" | "layout"> & { readonly maxBytes?: number },
): Promise<DrawnLook> {
  const { source, look } = work;
  const bytes = cutout ?? (await readCutout(ctx, source));
  // Several results have to fit into one message, so each of them is made to fit.
  const isInParts = look.oversize === "parts" && maxBytes === undefined;
  const made =
    isInParts && look.format === "zip"
      ? asZip(bytes)
      : await composeResult(ctx, bytes, {
          ...(layout ?? (await readLayout(ctx, work))),
          ...foregroundOption(source.found),
          ...(!isInParts && { maxBytes: maxBytes ?? maxFileBytes(ctx) }),
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

/** remove.bg's own ZIP. @throws InputError `cutout_gone` if only a picture is left of it */
function asZip(bytes: Uint8Array): DrawnLook["made"] {
  const data = Buffer.from(bytes);
  if (data.toString("latin1", 0, 2) !== "PK") {
    throw new InputError("the ZIP is no longer kept", { code: "cutout_gone" });
  }
  return { bytes: data, format: "zip", width: undefined, height: undefined, fitted: "asked" };
}

/**
 * The result as remove.bg made it, for parts; undefined if it is not wanted, or there is none. It is kept for a while only.
 * @throws InputError `cutout_gone`
 */
async function readWholeResult(
  ctx: Ctx,
  { look, source, whole }: CutoutResult,
  { cutout }: LookOptions,
): Promise<DrawnLook | undefined> {
  if (look.oversize !== "parts" || whole === undefined) return undefined;
  const bytes = cutout ?? (await ctx.kept(whole));
  if (bytes === undefined)
    throw new InputError("the result is no longer kept", { code: "cutout_gone" });
  const { extension: format = "png", size } = readPictureHead(bytes) ?? {};
  const { isWhole: _, ...rest } = source;
  const data = Buffer.from(bytes);
  return {
    made: { bytes: data, format, width: size?.width, height: size?.height, fitted: "asked" },
    source: { ...rest, isFlat: true },
  };
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
  const { signal } = ctx;
  const maxBytes = maxFileBytes(ctx);
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
  made: DrawnLook["made"],
  words: Words,
): readonly Text[] {
  const { foreground, ...found } = scaleFoundSubject(source.found ?? {}, made);
  const isWhere = foreground !== undefined && look.crop !== true;
  return describeFoundSubject({ ...found, ...(isWhere && { foreground }) }, words);
}

/** A WebP instead of a PNG is worth mentioning only if somebody chose PNG. */
function isWorthSaying(
  made: DrawnLook["made"],
  { format }: CutoutLook,
): made is DrawnLook["made"] & { readonly fitted: Exclude<DrawnLook["made"]["fitted"], "asked"> } {
  return made.fitted === "webp" ? format === "png" : made.fitted !== "asked";
}

/** @throws what `fetchAttachment` throws for a background picture */
export async function readLayout(
  ctx: Ctx,
  { look, source, wishes }: CutoutResult,
): Promise<LookLayout> {
  const { ground, crop, shadow, oversize, format = "auto" } = look;
  const margin =
    (source.isOwn === true || source.engine === "rembg") && wishes.cropMargin !== undefined
      ? marginSides(wishes.cropMargin)
      : 0;
  const backdrop = ground && (await readCutoutBackdrop(ctx, ground));
  return {
    format: format === "zip" ? "auto" : format,
    ...(oversize === "smaller" && { givesUp: "pixels" as const }),
    ...(backdrop !== undefined && { backdrop }),
    ...(crop === true && { crop: { margin } }),
    ...(shadow === true && { shadow: {} }),
  };
}
