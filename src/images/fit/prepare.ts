import { hash } from "node:crypto";
import type { Metadata, Sharp as Pipeline } from "sharp";
import { type CheckedPicture, checkPicture, proveReadable } from "../files/check-picture.ts";
import { isSentFormat, pictureFormats, type SentFormat } from "../files/formats.ts";
import { uprightSize } from "../files/picture-structure.ts";
import { maxClearPixels } from "../limits.ts";
import { pictureErrors, toPictureError } from "../picture-errors.ts";
import { loadSharp, openColored, type Sharp, sharpOptionsFor } from "../sharp.ts";
import { type PictureDimensions, shrunkBy } from "../size.ts";
import type { PictureInfo, PrepareOptions, ServiceReadyPicture } from "../types.ts";
import {
  decodeOnce,
  isAlreadyCutOut,
  isLossless,
  isOpaque,
  keepsProfile,
  stripMetadata,
} from "./checked-picture.ts";
import {
  type EncodingEffort,
  lowerEffort,
  maxEncodes,
  qualitySteps,
  sizeGoalShare,
} from "./lower-effort.ts";

type PrepareLimits = Omit<PrepareOptions, "signal">;

/** A picture on its way to remove.bg. */
interface SendWork extends OpenedPicture {
  readonly limits: PrepareLimits;
  /** Of the file as it came. */
  readonly fileBytes: number;
}

interface SendAttempt extends EncodingEffort {
  readonly format: SentFormat;
  /** What it becomes if a PNG is too large. */
  readonly lossy: "jpeg" | "webp";
}

type PreparedFile = Omit<ServiceReadyPicture, "digest" | "isCutOut">;

/** A source with more than the first is full of detail; a JPEG of the usual quality has about the second. */
const detailedBytesPerPixel = 0.5;
const usualBytesPerPixel = 0.25;

/** How many times larger than allowed a file may be for a PNG of it to be tried: uncompressed drawings shrink that much. */
const worthPng = 4;

/** What the picture is, upright: by its header, and with `isProven` by reading every row. */
export async function inspectPicture(
  bytes: Buffer,
  { isProven = false }: { readonly isProven?: boolean } = {},
): Promise<PictureInfo> {
  const source = await checkPicture(bytes);
  if (!isProven) return describePicture(source);
  try {
    await proveReadable(await loadSharp(), source);
    return describePicture(source);
  } catch (error) {
    throw toPictureError(error, source.format, bytes.length);
  }
}

/** Changes the picture as little as possible until it fits, in this order: nothing, no metadata, encoded again, fewer pixels. */
export async function prepareForService(
  bytes: Buffer,
  limits: PrepareLimits,
): Promise<ServiceReadyPicture> {
  const source = await checkPicture(bytes);
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(source.bytes, sharpOptionsFor(source)).metadata();
    const work: SendWork = { sharp, source, metadata, limits, fileBytes: bytes.length };
    const fitted =
      (await prepareUnchanged(work)) ??
      (await encodeAgain({ ...work, source: await decodeOnce(source) }));
    // Hashed in the worker, because tens of megabytes would block the event loop of the bot.
    const digest = hash("sha256", bytes);
    return { ...fitted, digest, isCutOut: await isAlreadyCutOut(sharp, source, metadata) };
  } catch (error) {
    throw toPictureError(error, source.format, bytes.length);
  }
}

function describePicture(source: CheckedPicture): PictureInfo {
  return { format: source.format, ...uprightSize(source), frames: source.frames };
}

/** The file without its metadata, when its pixels, colours and bytes already suit. */
async function prepareUnchanged({
  sharp,
  source,
  metadata,
  limits,
}: SendWork): Promise<PreparedFile | undefined> {
  const { format } = source;
  const size = uprightSize(source);
  const isAnimation = format === "webp" && source.frames > 1;
  if (!isSentFormat(format) || source.orientation !== 1 || !keepsProfile(metadata) || isAnimation)
    return;
  const left = stripMetadata(source);
  if (!left || left.bytes.length > limits.maxBytes) return;
  if (size.width * size.height > limits.maxPixels) return;
  await proveReadable(sharp, left);
  return {
    bytes: left.bytes,
    format,
    ...size,
    original: describePicture(source),
    fitted: "unchanged",
  };
}

async function encodeAgain(work: SendWork): Promise<PreparedFile> {
  const { source, limits } = work;
  const first = await firstAttempt(work);
  const pixels = await decodeShrunk(work, {
    ...first,
    size: shrunkBy(uprightSize(source), first.scale),
  });
  let attempt = first;
  for (let encodes = 1; ; encodes++) {
    const size = shrunkBy(uprightSize(source), attempt.scale);
    const bytes = await encodePicture(work, { ...attempt, size, pixels });
    if (bytes.length <= limits.maxBytes) {
      const fitted = whatWasDone(work, first, attempt);
      return { bytes, format: attempt.format, ...size, original: describePicture(source), fitted };
    }
    if (encodes === maxEncodes) throw pictureErrors.tooLarge(bytes.length, limits.maxBytes);
    const over = bytes.length / (limits.maxBytes * sizeGoalShare);
    const isPng = attempt.format === "png";
    const lower = isPng ? { format: attempt.lossy } : lowerEffort(attempt, over, encodes);
    attempt = { ...attempt, ...lower };
  }
}

function whatWasDone(
  { source, limits }: SendWork,
  first: SendAttempt,
  last: SendAttempt,
): ServiceReadyPicture["fitted"] {
  const { format, width, height, orientation } = source;
  const isOver = last.scale < first.scale || width * height > limits.maxPixels;
  if (last.scale < 1) return isOver ? "resized" : "reduced";
  const isHeavy = isSentFormat(format) && isTooHeavy(source, limits);
  if (isHeavy || last.q < first.q) return "recompressed";
  if (!isSentFormat(format)) return "converted";
  return orientation === 1 ? "rewritten" : "turned";
}

/** Whether the file is too large even without its metadata. */
function isTooHeavy(source: CheckedPicture, { maxBytes }: PrepareLimits): boolean {
  return (stripMetadata(source) ?? source).bytes.length > maxBytes;
}

async function firstAttempt(work: SendWork): Promise<SendAttempt> {
  const { sharp, source, metadata, limits, fileBytes } = work;
  const isClear = !(await isOpaque(sharp, source, metadata));
  const pixels = source.width * source.height;
  const most = isClear ? Math.min(limits.maxPixels, maxClearPixels) : limits.maxPixels;
  const scale = Math.min(1, Math.sqrt(most / pixels));
  const isDetailed = fileBytes / pixels > detailedBytesPerPixel;
  const mayPass = pixels * scale ** 2 * usualBytesPerPixel > limits.maxBytes;
  // JPEG can't hold transparency.
  const lossy = isClear ? "webp" : "jpeg";
  // A picture without compression losses is sent without them if it fits. A PNG that is too large stays too large.
  const mayFit = fileBytes <= limits.maxBytes * worthPng;
  const staysLossless =
    scale === 1 &&
    isLossless(source) &&
    mayFit &&
    !(source.format === "png" && isTooHeavy(source, limits));
  return {
    format: staysLossless ? "png" : lossy,
    lossy,
    q: isDetailed && mayPass ? qualitySteps.detailed : qualitySteps.usual,
    scale,
  };
}

/** A picture and the decoder that opens it. */
interface OpenedPicture {
  readonly sharp: Sharp;
  readonly source: CheckedPicture;
  readonly metadata: Metadata;
}

/** Samples in the picture's own colours, upright. */
interface DecodedPixels extends PictureDimensions {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

interface EncodeTarget {
  readonly format: SentFormat;
  /** Quality, 1 to 100; a PNG has none. */
  readonly q: number;
  readonly size: PictureDimensions;
  /** What was decoded before, to be used instead of the file. */
  readonly pixels: DecodedPixels | undefined;
}

/**
 * The pixels of a picture that is made smaller for a JPEG, kept while several qualities are tried, because decoding and
 * shrinking take many times as long as encoding. For a WebP they are not kept, because its encoder needs the memory.
 */
async function decodeShrunk(
  opened: OpenedPicture,
  { format, size }: Pick<EncodeTarget, "format" | "size">,
): Promise<DecodedPixels | undefined> {
  const isSmaller = size.width < uprightSize(opened.source).width;
  if (format !== "jpeg" || !isSmaller) return undefined;
  const { data, info } = await openResized(opened, { format, size })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Writes the picture upright in a size, without anything but its pixels and its colour profile. */
async function encodePicture(opened: OpenedPicture, target: EncodeTarget): Promise<Buffer> {
  const { sharp, metadata } = opened;
  const { format, q, size, pixels } = target;
  const { writable } = pictureFormats[format];
  const encode = (pipeline: Pipeline) =>
    writable.encode(pipeline, { quality: q, compressionLevel: 4 });
  if (!pixels) return encode(openResized(opened, target)).toBuffer();
  const { data, ...raw } = pixels;
  const pipeline = resizeTo(sharp(data, { raw }), raw, size);
  const bytes = await encode(pipeline).toBuffer();
  if (!metadata.icc || !keepsProfile(metadata)) return bytes;
  return writable.embedProfile(bytes, metadata.icc);
}

function openResized(
  { sharp, source, metadata }: OpenedPicture,
  { format, size }: Pick<EncodeTarget, "format" | "size">,
): Pipeline {
  const pipeline = openColored(sharp, source);
  // Turning the picture takes 40 % longer at 40 megapixels, and holds all of them in memory, however it is done.
  if (source.orientation !== 1) pipeline.autoOrient();
  if (format === "jpeg" && metadata.hasAlpha) pipeline.removeAlpha();
  // Colours that lose their profile are converted to sRGB, which needs none.
  if (keepsProfile(metadata)) pipeline.keepIccProfile();
  return resizeTo(pipeline, uprightSize(source), size);
}

function resizeTo(
  pipeline: Pipeline,
  from: PictureDimensions,
  { width, height }: PictureDimensions,
): Pipeline {
  if (from.width === width && from.height === height) return pipeline;
  return pipeline.resize(width, height, { fit: "fill" });
}
