import type { Removal } from "../../background/index.ts";
import { abortLater } from "../../clock.ts";
import { type Attachment, cancelGraceMs } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type {
  ComposedCutout,
  ComposeOptions,
  CutoutBackdrop,
  OutputFormat,
  ServiceReadyPicture,
} from "../../images/index.ts";
import type { Ctx } from "../context/index.ts";
import {
  addChargeToError,
  type CutoutGround,
  type CutoutInput,
  type CutoutStep,
  keepCutout,
  type PaidRemoval,
  prepareCutoutInput,
  sendForCutout,
  unlessOpaque,
} from "../cutout/index.ts";
import { type CutoutOptions, cutoutRequest } from "./cutout-options.ts";
import { marginSides } from "./lengths.ts";
import { type PictureSource, pictureName } from "./picture-source.ts";
import { maxBytesForEach, requireResultSize } from "./result-size.ts";

/** The file that was made of a picture. */
interface PictureResult {
  readonly bytes: Buffer;
  readonly format: OutputFormat | "zip";
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** As in `ComposedCutout`; `opened`: the ZIP was too large to send, so a picture was made of it. */
  readonly fitted: ComposedCutout["fitted"] | "opened";
}

/** A picture that worked. */
export interface MadePicture {
  readonly result: PictureResult;
  /** What remove.bg said; absent if the picture was transparent already and was not sent. */
  readonly removal: Omit<Removal, "image"> | undefined;
  /** Absent when remove.bg fetched the picture itself. */
  readonly prepared: Omit<ServiceReadyPicture, "bytes"> | undefined;
  /** The picture as it was sent to remove.bg; only if it is shown beside the result. */
  readonly sent: Buffer | undefined;
  /** The result has no transparency. */
  readonly isOpaque: boolean;
  /** Handle of the cut-out, for other looks; absent if the result itself is all there is. */
  readonly kept: string | undefined;
  /** Handle of the result that remove.bg made, if it was made smaller here. */
  readonly whole?: string;
}

export interface PictureJob {
  readonly options: CutoutOptions;
  /** Send pictures that are transparent already as well. */
  readonly isForced: boolean;
  /** The largest file that may come out. */
  readonly maxBytes: number;
  readonly onStep: (step: CutoutStep) => void;
  /** Results by the picture's digest or address: the same picture is sent only once. */
  readonly known: Map<string, { readonly name: string; readonly made: Promise<MadePicture> }>;
  /** Whether the picture as it was sent is shown beside the result. */
  readonly keepsSent: boolean;
}

export interface PictureAttempt {
  readonly made: MadePicture;
  /** Name of another picture with the same bytes, which was sent instead. */
  readonly sameAs?: string;
}

/** Makes the result of one picture, or returns that of another with the same bytes. */
export async function makePicture(
  ctx: Ctx,
  source: PictureSource,
  job: PictureJob,
): Promise<PictureAttempt> {
  const { known, onStep } = job;
  onStep({ at: "reading" });
  const picture = "link" in source ? source : await prepareCutoutInput(ctx, source.attachment);
  const key = "link" in picture ? picture.link : picture.digest;
  const twin = known.get(key);
  if (twin !== undefined) return { made: await twin.made, sameAs: twin.name };
  const isDone = "attachment" in source && !("link" in picture) && picture.isCutOut;
  const made =
    isDone && !job.isForced
      ? keepTransparent(ctx, { attachment: source.attachment, prepared: picture }, job)
      : carryOut(ctx, picture, job);
  known.set(key, { name: pictureName(source), made });
  return { made: await made };
}

async function carryOut(
  ctx: Ctx,
  picture: CutoutInput,
  { options, maxBytes, onStep, keepsSent }: PictureJob,
): Promise<MadePicture> {
  const prepared = "link" in picture ? undefined : picture;
  if (prepared !== undefined) requireResultSize(options, prepared, maxBytesForEach(ctx, 1));
  const request = cutoutRequest(options, prepared);
  // A background that can't be fetched fails here, before anything is paid for.
  const composition = {
    ...(await readComposition(ctx, options)),
    // What remove.bg would have done.
    ...(ctx.engine === "rembg" && layOutHere(options)),
  };
  onStep({ at: "sent" });
  const removal = await sendForCutout(ctx, picture, { request, onStep });
  onStep({ at: "composing", charged: removal.creditsCharged });
  try {
    const signal = abortLater(ctx.signal, cancelGraceMs);
    const finished = await finish(ctx, removal, options, { ...composition, maxBytes, signal });
    const { image: _, kept: __, ...rest } = removal;
    return { ...finished, removal: rest, ...describeInput(prepared, keepsSent) };
  } catch (error) {
    throw addChargeToError(ctx, error, removal);
  }
}

/** Makes the result of a picture that has no background to remove. Nothing is sent, and nothing is charged. */
async function keepTransparent(
  ctx: Ctx,
  {
    attachment,
    prepared,
  }: { readonly attachment: Attachment; readonly prepared: ServiceReadyPicture },
  { options, maxBytes }: PictureJob,
): Promise<MadePicture> {
  const { format, width, height, fitted } = prepared;
  // A picture that had to be changed to be sent is taken as it came.
  const isSame = fitted === "unchanged";
  const bytes = isSame ? prepared.bytes : await ctx.fetchAttachment(attachment);
  const common = { removal: undefined, ...describeInput(prepared, false) };
  const layout = await layoutOfTransparent(ctx, options);
  const isPlain = layout.backdrop === undefined && !layout.crop && !layout.shadow;
  const isWanted = options.format === undefined || options.format === format;
  if (isSame && isPlain && isWanted && bytes.length <= maxBytes && format !== "jpeg") {
    const result = { bytes, format, width, height, fitted: "asked" } as const;
    return { ...common, result, isOpaque: false, kept: undefined };
  }
  const result = await composeResult(ctx, bytes, { ...layout, maxBytes, signal: ctx.signal });
  const isOpaque = layout.backdrop !== undefined || result.format === "jpg";
  const isAll = isPlain && !isOpaque && result.fitted === "asked";
  const kept = isAll ? undefined : await ctx.keep(bytes);
  return { ...common, result, isOpaque, kept };
}

async function layoutOfTransparent(
  ctx: Ctx,
  options: CutoutOptions,
): Promise<Omit<ComposeOptions, "maxBytes">> {
  return {
    ...(await readComposition(ctx, { ...options, ground: groundHere(options.ground) })),
    ...layOutHere(options),
  };
}

/** The crop and the shadow of the options, for what remove.bg does not make. */
function layOutHere({
  crop,
  cropMargin,
  shadowType = "none",
}: CutoutOptions): Pick<ComposeOptions, "crop" | "shadow"> {
  return {
    ...(crop === true && {
      crop: { margin: cropMargin === undefined ? 0 : marginSides(cropMargin) },
    }),
    ...(shadowType !== "none" && { shadow: {} }),
  };
}

/** Whether a result that was not made by remove.bg is more than its cut-out. */
export const isLaidOutHere = (options: CutoutOptions): boolean =>
  Object.keys(layOutHere(options)).length > 0;

/** What can be put behind a picture that is not sent: it has no background that could be blurred, so its own colors are. */
export function groundHere(ground: CutoutGround | undefined): CutoutGround | undefined {
  if (ground?.kind === "link" || ground?.kind === "glass") return undefined;
  return ground?.kind === "blur" ? { ...ground, of: "subject" } : ground;
}

/** Results wait for each other in memory, so the bytes of the originals are dropped unless they are shown. */
function describeInput(
  prepared: ServiceReadyPicture | undefined,
  keepsSent: boolean,
): Pick<MadePicture, "prepared" | "sent"> {
  if (prepared === undefined) return { prepared, sent: undefined };
  const { bytes, ...rest } = prepared;
  return { prepared: rest, sent: keepsSent ? bytes : undefined };
}

type Composition = ComposeOptions & { readonly maxBytes: number; readonly signal: AbortSignal };
type FinishedPicture = Pick<MadePicture, "result" | "isOpaque" | "kept" | "whole">;

/** Turns remove.bg's answer into the file that was requested. */
async function finish(
  ctx: Ctx,
  removal: PaidRemoval,
  options: CutoutOptions,
  composition: Composition,
): Promise<FinishedPicture> {
  const { image, format, width, height } = removal;
  if (format !== "zip") return keepWhole(ctx, removal, options, composition);
  const wantsZip = options.format === "zip";
  if (options.oversize === "parts") {
    // What goes into the parts is composed when they are drawn.
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque: false, kept: await keepCutout(ctx, removal) };
  }
  if (wantsZip && image.length <= composition.maxBytes) {
    await withRetry(ctx, () => ctx.images.prove(image, { signal: composition.signal }));
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque: false, kept: undefined };
  }
  const result = await withRetry(ctx, () => composeResult(ctx, image, composition));
  const isOpaque = composition.backdrop !== undefined || result.format === "jpg";
  const fitted = wantsZip ? "opened" : result.fitted;
  // Also of a transparent result, whose own background can then be blurred.
  return { result: { ...result, fitted }, isOpaque, kept: await keepCutout(ctx, removal) };
}

/** Working on a picture is free, so a paid cut-out gets a second try if the worker died. */
async function withRetry<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "picture_worker") throw error;
    ctx.log.warn("work on a cut-out is tried again", { code: error.code, reason: error.message });
    return work();
  }
}

/** A result that remove.bg made whole is sent as it is, or made smaller if it is too large. */
async function keepWhole(
  ctx: Ctx,
  removal: PaidRemoval,
  options: CutoutOptions,
  composition: Composition,
): Promise<FinishedPicture> {
  const { image, format, width, height } = removal;
  const { maxBytes, signal } = composition;
  const isOpaque = options.maskOnly === true || options.ground?.kind === "link" || format === "jpg";
  if (image.length <= maxBytes) {
    await withRetry(ctx, () => ctx.images.prove(image, { signal }));
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque, kept: undefined };
  }
  const whole = await keepCutout(ctx, removal);
  if (options.oversize === "parts") {
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque, kept: undefined, whole };
  }
  if (!isOpaque) {
    const options = { format: "webp", maxBytes, signal } as const;
    const result = await unlessOpaque(ctx.images.compose(image, options));
    if (result !== undefined) return { result, isOpaque, kept: undefined, whole };
  }
  const side = Math.max(width ?? maxSidePx, height ?? maxSidePx);
  const place = { width: side, height: side, shape: "inside", format: "jpeg" } as const;
  const fitted = await ctx.images.fit(image, { ...place, maxBytes, signal });
  const changed = fitted.fitted === "resized" ? "smaller" : "quality";
  const result = { ...fitted, format: "jpg", fitted: changed } as const;
  return { result, isOpaque, kept: undefined, whole };
}

/** Longer than any side of a result, so that only the number of bytes makes the picture smaller. */
const maxSidePx = 16_000;

/**
 * How to compose the result from the ZIP. A background picture is fetched and checked here, before anything is paid
 * for.
 * @throws what `fetchAttachment` and `Images.inspect` throw for it
 */
async function readComposition(
  ctx: Ctx,
  {
    ground,
    format,
    oversize,
  }: { readonly ground?: CutoutGround | undefined } & Pick<CutoutOptions, "format" | "oversize">,
): Promise<Pick<ComposeOptions, "format" | "backdrop" | "givesUp">> {
  const backdrop = ground && (await readCutoutBackdrop(ctx, ground));
  if (backdrop?.kind === "picture") {
    await ctx.images.inspect(backdrop.bytes, { isProven: true, signal: ctx.signal });
  }
  return {
    format: format === undefined || format === "zip" ? "auto" : format,
    ...(oversize === "smaller" && { givesUp: "pixels" as const }),
    ...(backdrop !== undefined && { backdrop }),
  };
}

/** Undefined if the result stays transparent, or if remove.bg composes it. */
export async function readCutoutBackdrop(
  ctx: Ctx,
  ground: CutoutGround,
): Promise<CutoutBackdrop | undefined> {
  switch (ground.kind) {
    case "picture":
      return { kind: "picture", bytes: await ctx.fetchAttachment(ground.picture) };
    case "color":
    case "gradient":
    case "blur":
      return ground;
    default:
      return undefined;
  }
}

/**
 * Composes a cut-out. A PNG with too many pixels becomes a WebP, because the size of a cropped picture, or of one that
 * remove.bg fetched, is known only after it was paid for.
 */
export async function composeResult(
  { images }: Ctx,
  cutout: Uint8Array,
  options: ComposeOptions,
): Promise<ComposedCutout> {
  try {
    return await images.compose(cutout, options);
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "png_too_large") throw error;
    const made = await images.compose(cutout, { ...options, format: "webp" });
    return { ...made, fitted: made.fitted === "asked" ? "webp" : made.fitted };
  }
}
