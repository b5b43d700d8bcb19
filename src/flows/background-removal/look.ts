import {
  type Ctx,
  compact,
  type Files,
  files,
  join,
  type Text,
  type Words,
} from "../../discord/index.ts";
import type { Composed, ComposeOptions } from "../../images/index.ts";
import { cutoutOf, foregroundOption, foundIn, foundLines, shownCutout } from "../cutout/index.ts";
import { plainAttachment } from "../options/index.ts";
import { resultButtons } from "./buttons.ts";
import { backdropOf, composeResult } from "./compose.ts";
import { stemOf } from "./files.ts";
import { remark, resultFacts } from "./reply.ts";
import type { CutoutLook, CutoutWork } from "./work.ts";

export interface Styling {
  /** The cut-out, when it has just come from the service. */
  readonly cutout?: Uint8Array;
  /** What the service charged for it. */
  readonly charged?: number | undefined;
  readonly isPublic?: boolean;
  /** It has the look it had before. */
  readonly isAsItWas?: true;
}

/** Draws a result in its look, composed here from what was paid for before. */
export async function drawLook(ctx: Ctx, work: CutoutWork, styling: Styling = {}): Promise<Files> {
  const { words } = ctx;
  const { look, wishes } = work;
  const { made, source } =
    (await cropWholeResult(ctx, work)) ?? (await composeLook(ctx, work, styling.cutout));
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
  readonly source: CutoutWork["source"];
}

async function composeLook(
  ctx: Ctx,
  work: CutoutWork,
  fresh: Uint8Array | undefined,
): Promise<Drawn> {
  const { look, source } = work;
  const bytes = fresh ?? (await cutoutOf(ctx, source));
  const made = await composeResult(ctx, bytes, {
    ...(await layoutOf(ctx, look)),
    ...foregroundOption(source.found),
    maxBytes: ctx.attachmentLimit,
    signal: ctx.signal,
  });
  return { made, source: nextSource(ctx, work, bytes) };
}

/**
 * A result that the service put on a background, cropped to where it says the subject is: that takes neither the cut-out
 * nor another call. Undefined for looks that do.
 */
async function cropWholeResult(ctx: Ctx, { look, source }: CutoutWork): Promise<Drawn | undefined> {
  const file = source.base ?? ctx.attachments[source.at];
  const { found = {}, isWhole } = source;
  const isSame = look.ground?.kind === "link" || look.ground?.kind === "glass";
  if (isWhole !== true || !isSame || look.shadow === true || !file) return undefined;
  const bytes = await ctx.fetchAttachment(file);
  const size = await ctx.images.inspect(bytes, { signal: ctx.signal });
  const { foreground } = foregroundOption(foundIn(found, size));
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

function costOf({ cutout, charged }: Styling, words: Words): readonly string[] {
  if (cutout === undefined) return [words.say("background.no_charge")];
  return charged === undefined ? [] : [words.say("background.credits", { count: charged })];
}

/** In a cropped picture there is no point in saying where the subject is. */
function subjectLines({ look, source }: CutoutWork, made: Composed, words: Words): readonly Text[] {
  const { foreground, ...found } = foundIn(source.found ?? {}, made);
  const isWhere = foreground !== undefined && look.crop !== true;
  return foundLines({ ...found, ...(isWhere && { foreground }) }, words);
}

/** A WebP in place of a PNG is worth saying only where a PNG was asked for. */
function isWorthSaying(
  made: Composed,
  { format }: CutoutLook,
): made is Composed & { readonly fitted: Exclude<Composed["fitted"], "asked"> } {
  return made.fitted === "webp" ? format === "png" : made.fitted !== "asked";
}

async function layoutOf(ctx: Ctx, look: CutoutLook): Promise<Omit<ComposeOptions, "maxBytes">> {
  const { ground, crop, shadow, format = "auto" } = look;
  const backdrop = ground && (await backdropOf(ctx, ground));
  return {
    format,
    ...(backdrop !== undefined && { backdrop }),
    ...(crop === true && { crop: { margin: 0 } }),
    ...(shadow === true && { shadow: {} }),
  };
}

/** The next look starts at the same cut-out, never at what was made of it. */
function nextSource(ctx: Ctx, { source }: CutoutWork, bytes: Uint8Array): CutoutWork["source"] {
  const isKept = source.kept !== undefined && ctx.kept(source.kept) !== undefined;
  const base = shownCutout(ctx, source);
  return {
    ...source,
    at: 0,
    isFlat: true,
    kept: isKept ? source.kept : ctx.keep(bytes),
    ...(base !== undefined && { base: plainAttachment(base) }),
  };
}
