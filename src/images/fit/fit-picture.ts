import type { Metadata, Sharp as Pipeline } from "sharp";
import { type CheckedPicture, checkPicture, proveReadable } from "../files/check-picture.ts";
import { isSentFormat, pictureFormats } from "../files/formats.ts";
import { uprightSize } from "../files/picture-structure.ts";
import { pictureErrors, toPictureError } from "../picture-errors.ts";
import { loadSharp, openColored, type Sharp, sharpOptionsFor } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { FitFormat, FitOptions, FittedPicture } from "../types.ts";
import {
  decodeOnce,
  isLossless,
  isOpaque,
  keepsProfile,
  stripMetadata,
} from "./checked-picture.ts";
import {
  type EncodingEffort,
  lowerEffort,
  maxEncodes,
  qualityPerE,
  qualitySteps,
  sizeGoalShare,
} from "./lower-effort.ts";
import { type FitLayout, layOutInPlace, shrinkLayout } from "./picture-layout.ts";

type FitSettings = Omit<FitOptions, "signal">;

/** A picture that is being fitted. */
interface FitWork {
  readonly sharp: Sharp;
  readonly source: CheckedPicture;
  /** As people see it. */
  readonly size: PictureDimensions;
  readonly options: FitSettings;
  readonly metadata: Metadata;
}

interface FitAttempt extends Pick<EncodingEffort, "q"> {
  readonly format: FitFormat;
  readonly layout: FitLayout;
}

const colorPattern = /^#[0-9a-f]{6}$/i;
const white = "#ffffff";
const clear = { r: 255, g: 255, b: 255, alpha: 0 } as const;

/** For pictures that can lose no more pixels. Only noisy ones get that far, and their bytes fall half as fast with quality. */
const noisyQualityPerE = 2 * qualityPerE;

/** Worse than this is not worth sending; only a file that may lose no more pixels gets less than `quality.least`. */
const worstQuality = 20;

/** Does the least that makes the picture fit its place: nothing, metadata out, encode again, crop or shrink. */
export async function fitPicture(bytes: Buffer, options: FitSettings): Promise<FittedPicture> {
  const { background = white } = options;
  if (!colorPattern.test(background)) throw pictureErrors.background(background);
  const source = await checkPicture(bytes);
  const size = usedSize(source, options);
  const layout = layOutInPlace(size, options);
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(source.bytes, sharpOptionsFor(source)).metadata();
    const work: FitWork = { sharp, source, size, options, metadata };
    const unchanged = await fitUnchanged(work, layout);
    return unchanged ?? (await encodeAgain({ ...work, source: await decodeOnce(source) }, layout));
  } catch (error) {
    throw toPictureError(error, source.format, bytes.length);
  }
}

/** The size of the part that is used. */
function usedSize(source: CheckedPicture, { part }: FitSettings): PictureDimensions {
  const whole = uprightSize(source);
  if (part === undefined) return whole;
  const isWithin = part.left + part.width <= whole.width && part.top + part.height <= whole.height;
  if (!isWithin) throw new RangeError("a part that lies beyond its picture");
  return { width: part.width, height: part.height };
}

/** The file without its metadata, when its pixels, format and bytes already suit the place. */
async function fitUnchanged(work: FitWork, layout: FitLayout): Promise<FittedPicture | undefined> {
  const { sharp, source, size, options, metadata } = work;
  const { format } = source;
  const { format: wanted = "keep" } = options;
  if (!isSentFormat(format) || format === "webp" || source.orientation !== 1) return undefined;
  if (wanted !== "keep" && wanted !== format) return undefined;

  if (options.part !== undefined) return undefined;
  if (!isSame(layout, size) || !keepsProfile(metadata)) return undefined;
  const left = stripMetadata(source);
  if (!left || left.bytes.length > options.maxBytes) return undefined;
  await proveReadable(sharp, left);
  return { bytes: left.bytes, format, ...size, fitted: "unchanged" };
}

async function encodeAgain(work: FitWork, first: FitLayout): Promise<FittedPicture> {
  const { maxBytes } = work.options;
  let attempt: FitAttempt = {
    format: await firstFormat(work),
    q: qualitySteps.usual,
    layout: first,
  };
  for (let encodes = 1; ; encodes++) {
    const { encode } = pictureFormats[attempt.format].writable;
    const bytes = await encode(pipeline(work, attempt), { quality: attempt.q }).toBuffer();
    if (bytes.length <= maxBytes) return describeResult(work, attempt, bytes);
    const next = encodes < maxEncodes && (await nextAttempt(work, attempt, { bytes, encodes }));
    if (!next) throw pictureErrors.tooLarge(bytes.length, maxBytes);
    attempt = next;
  }
}

function describeResult(
  { size }: FitWork,
  { format, layout }: FitAttempt,
  bytes: Buffer,
): FittedPicture {
  const { width, height, isCropped } = layout;
  const changed = isSame(layout, size) ? "recompressed" : "resized";
  const placed = hasBars(layout) ? "barred" : changed;
  return { bytes, format, width, height, fitted: isCropped ? "cropped" : placed };
}

function hasBars({ drawn, width, height }: FitLayout): boolean {
  return drawn.width < width || drawn.height < height;
}

/** Only JPEG and PNG are taken: other formats become a PNG if they are lossless or have transparency and a JPEG otherwise. */
async function firstFormat({ sharp, source, options, metadata }: FitWork): Promise<FitFormat> {
  const { format = "keep" } = options;
  if (format !== "keep") return format;
  if (source.format === "jpeg") return "jpeg";
  if (isLossless(source)) return "png";
  return (await isOpaque(sharp, source, metadata)) ? "jpeg" : "png";
}

/** Gives up the least important first: PNG becomes JPEG if nothing is transparent, then quality falls, then pixels. */
async function nextAttempt(
  work: FitWork,
  { format, q, layout }: FitAttempt,
  { bytes, encodes }: { readonly bytes: Buffer; readonly encodes: number },
): Promise<FitAttempt | undefined> {
  const { size, options } = work;
  const over = bytes.length / (options.maxBytes * sizeGoalShare);
  const smaller = (scale: number) => shrinkLayout(layout, scale, size, options);
  if (format === "jpeg") {
    const wanted = lowerEffort({ q, scale: 1 }, over, encodes);
    const next = wanted.scale < 1 ? smaller(wanted.scale) : layout;
    // If the smallest size allows no fewer pixels, the quality has to be lowered instead.
    const missing = (next.width * next.height) / (layout.width * layout.height * wanted.scale ** 2);
    const lowered = Math.floor(wanted.q - noisyQualityPerE * Math.log(Math.max(1, missing)));
    return { format, q: Math.max(worstQuality, lowered), layout: next };
  }
  const mayChange = (options.format ?? "keep") === "keep";
  const asJpeg: FitAttempt = { format: "jpeg", q: qualitySteps.usual, layout };
  if (mayChange && (await isOpaque(work.sharp, work.source, work.metadata))) return asJpeg;
  const next = smaller(Math.sqrt(1 / over) * 0.9);
  const fitsThen = (next.width * next.height * over) / (layout.width * layout.height) <= 1;
  if (fitsThen) return { format, q, layout: next };
  return mayChange ? asJpeg : undefined;
}

function pipeline(work: FitWork, { format, layout }: FitAttempt): Pipeline {
  const { sharp, source, size, options, metadata } = work;
  const { background } = options;
  const { drawn } = layout;
  const keepsAlpha = format === "png" && metadata.hasAlpha;
  const made = openColored(sharp, source).autoOrient();
  if (options.part) made.extract(options.part);
  if (!keepsAlpha) made.flatten({ background: background ?? white });
  if (!isSame(drawn, size)) {
    const fill = layout.isCropped ? "cover" : "fill";
    // The crop is around what draws the eye: skin, strong colours, edges.
    made.resize(drawn.width, drawn.height, { fit: fill, position: "attention" });
  }
  const isBarred = hasBars(layout);
  if (isBarred) {
    const [across, down] = [layout.width - drawn.width, layout.height - drawn.height];
    const [left, top] = [Math.floor(across / 2), Math.floor(down / 2)];
    const bars = { left, top, right: across - left, bottom: down - top };
    made.extend({ ...bars, background: background ?? (keepsAlpha ? clear : white) });
  }
  const isOnColor = isBarred || (metadata.hasAlpha && !keepsAlpha);
  // A grey picture would make its background grey as well.
  if (metadata.channels < 3 && isOnColor)
    return made.pipelineColourspace("srgb").withIccProfile("srgb");
  // Colours that lose their profile are converted to sRGB, which needs none.
  return keepsProfile(metadata) ? made.keepIccProfile() : made;
}

function isSame(a: PictureDimensions, b: PictureDimensions): boolean {
  return a.width === b.width && a.height === b.height;
}
