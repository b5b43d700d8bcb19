import type { Removal } from "../../background/index.ts";
import { abortedLater } from "../../clock.ts";
import { type Ctx, cancelGraceMs } from "../../discord/index.ts";
import { BotError } from "../../errors.ts";
import type { Composed, ComposeOptions, OutputFormat, Prepared } from "../../images/index.ts";
import {
  afterCharge,
  type CutoutStep,
  type ReadyPicture,
  readyPicture,
  sendForCutout,
} from "../cutout/index.ts";
import { composeResult, compositionOf } from "./compose.ts";
import { type CutoutOptions, requestOf } from "./cutout-options.ts";
import { type PictureSource, pictureName } from "./picture-source.ts";
import { requirePossible } from "./result-size.ts";

/** The file that was made of a picture. */
interface Result {
  readonly bytes: Buffer;
  readonly format: OutputFormat | "zip";
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** As `Composed.fitted`; `opened`: the ZIP was too large to be handed over as it is. */
  readonly fitted: Composed["fitted"] | "opened";
}

/** A picture that worked. */
export interface MadePicture {
  readonly result: Result;
  readonly removal: Omit<Removal, "image">;
  /** Absent when the service fetched the picture itself. */
  readonly prepared: Omit<Prepared, "bytes"> | undefined;
  /** The picture as it was sent; only where it is shown again. */
  readonly sent: Buffer | undefined;
  /** Nothing shows through the result. */
  readonly isOpaque: boolean;
  /** Handle of the kept cut-out, for other looks, when the result itself can't serve for them. */
  readonly kept: string | undefined;
}

export interface PictureJob {
  readonly options: CutoutOptions;
  /** Largest file that may come out. */
  readonly maxBytes: number;
  readonly onStep: (step: CutoutStep) => void;
  /** Results by the bytes they were made of: a picture that was given twice is sent once. */
  readonly known: Map<string, { readonly name: string; readonly made: Promise<MadePicture> }>;
  /** Whether the picture as it was sent is shown beside the result. */
  readonly keepsSent: boolean;
}

export interface PictureAttempt {
  readonly made: MadePicture;
  /** Name of another picture with the same bytes, which was sent instead. */
  readonly sameAs?: string;
}

/** Takes one picture from its bytes to its result, or to that of another with the same bytes. */
export async function make(
  ctx: Ctx,
  source: PictureSource,
  job: PictureJob,
): Promise<PictureAttempt> {
  const { known, onStep } = job;
  onStep({ at: "reading" });
  const picture = "link" in source ? source : await readyPicture(ctx, source.attachment);
  const key = "link" in picture ? picture.link : picture.digest;
  const twin = known.get(key);
  if (twin !== undefined) return { made: await twin.made, sameAs: twin.name };
  const made = carryOut(ctx, picture, job);
  known.set(key, { name: pictureName(source), made });
  return { made: await made };
}

async function carryOut(
  ctx: Ctx,
  picture: ReadyPicture,
  { options, maxBytes, onStep, keepsSent }: PictureJob,
): Promise<MadePicture> {
  const prepared = "link" in picture ? undefined : picture;
  if (prepared !== undefined) requirePossible(options, prepared);
  const request = requestOf(options, prepared);
  // A background that can't be fetched fails here, before anything is paid for.
  const composition = await compositionOf(ctx, options);
  onStep({ at: "sent" });
  const removal = await sendForCutout(ctx, picture, { request, onStep });
  onStep({ at: "composing", charged: removal.creditsCharged });
  try {
    const signal = abortedLater(ctx.signal, cancelGraceMs);
    const finished = await finish(ctx, removal, options, { ...composition, maxBytes, signal });
    return { ...finished, removal: withoutImage(removal), ...inputOf(prepared, keepsSent) };
  } catch (error) {
    throw afterCharge(error, removal);
  }
}

/** Several results wait for each other, so that the bytes they were made of are not held meanwhile. */
function inputOf(
  prepared: Prepared | undefined,
  keepsSent: boolean,
): Pick<MadePicture, "prepared" | "sent"> {
  if (prepared === undefined) return { prepared, sent: undefined };
  const { bytes, ...rest } = prepared;
  return { prepared: rest, sent: keepsSent ? bytes : undefined };
}

function withoutImage({ image: _, ...rest }: Removal): MadePicture["removal"] {
  return rest;
}

type Composition = ComposeOptions & { readonly maxBytes: number };
type Finished = Pick<MadePicture, "result" | "isOpaque" | "kept">;

/** The service's answer as the file that was asked for. */
async function finish(
  ctx: Ctx,
  removal: Removal,
  options: CutoutOptions,
  composition: Composition,
): Promise<Finished> {
  const { image, format, width, height } = removal;
  if (format !== "zip") return keepWhole(ctx, removal, options, composition);
  const wantsZip = options.format === "zip";
  if (wantsZip && image.length <= composition.maxBytes) {
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque: false, kept: undefined };
  }
  const result = await composeWithRetry(ctx, image, composition);
  const isOpaque = composition.backdrop !== undefined || result.format === "jpg";
  const fitted = wantsZip ? "opened" : result.fitted;
  return { result: { ...result, fitted }, isOpaque, kept: isOpaque ? ctx.keep(image) : undefined };
}

/** Composing is free, so that what was paid for gets a second try when the worker died of it. */
async function composeWithRetry(ctx: Ctx, image: Buffer, options: Composition): Promise<Composed> {
  try {
    return await composeResult(ctx, image, options);
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== "picture_worker") throw error;
    ctx.log.warn("composing is tried again", { code: error.code, reason: error.message });
    return composeResult(ctx, image, options);
  }
}

/** A result that the service made whole is handed over as it is, or made smaller where it has to be. */
async function keepWhole(
  ctx: Ctx,
  { image, format, width, height }: Removal,
  options: CutoutOptions,
  { maxBytes, signal }: Composition,
): Promise<Finished> {
  const isOpaque = options.maskOnly === true || options.ground?.kind === "link" || format === "jpg";
  if (image.length <= maxBytes) {
    const result = { bytes: image, format, width, height, fitted: "asked" } as const;
    return { result, isOpaque, kept: undefined };
  }
  const job = signal === undefined ? {} : { signal };
  if (!isOpaque) {
    const result = await tryWebp(ctx, image, { maxBytes, ...job });
    if (result !== undefined) return { result, isOpaque, kept: undefined };
  }
  const side = Math.max(width ?? mostSide, height ?? mostSide);
  const place = { width: side, height: side, shape: "inside", format: "jpeg" } as const;
  const fitted = await ctx.images.fit(image, { ...place, maxBytes, ...job });
  const changed = fitted.fitted === "resized" ? "smaller" : "quality";
  const result = { ...fitted, format: "jpg", fitted: changed } as const;
  return { result, isOpaque, kept: undefined };
}

/** Undefined when the picture turns out to have no transparency. */
async function tryWebp(
  { images }: Ctx,
  image: Buffer,
  options: Omit<ComposeOptions, "format">,
): Promise<Composed | undefined> {
  try {
    return await images.compose(image, { format: "webp", ...options });
  } catch (error) {
    if (error instanceof BotError && error.code === "picture_opaque") return undefined;
    throw error;
  }
}

/** Longer than any side of a result, so that the picture keeps its size where the bytes allow it. */
const mostSide = 16_000;
