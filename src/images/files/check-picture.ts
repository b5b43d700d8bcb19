import type { SharpOptions } from "sharp";
import { InputError } from "../../errors.ts";
import {
  maxHeldBytes,
  maxInputBytes,
  maxLosslessWebpPixels,
  maxPartBytes,
  maxPassedPixels,
  maxRawBytes,
  maxSide,
} from "../limits.ts";
import { pictureErrors, toPictureError } from "../picture-errors.ts";
import { loadSharp, type Sharp, sharpOptionsFor } from "../sharp.ts";
import {
  formatFacts,
  type InputFormat,
  isInputFormat,
  isSentFormat,
  pictureFormats,
  type SentFormat,
} from "./formats.ts";
import type { PictureStructure } from "./picture-structure.ts";
import { sniffFormat } from "./sniff.ts";

/** A picture that has been checked and may be decoded. */
export interface CheckedPicture extends PictureStructure {
  readonly format: InputFormat;
  /** For the decoder: the file as it came, except for brands that the decoder would not know, and with an end if it lacked one. */
  readonly bytes: Buffer;
}

/** Checks a picture by its bytes and refuses what can't be read, the cheapest check first. */
export async function checkPicture(bytes: Buffer): Promise<CheckedPicture> {
  if (bytes.length === 0) throw pictureErrors.empty();
  const format = sniffFormat(bytes);
  if (!isInputFormat(format)) throw pictureErrors.type(format);
  if (bytes.length > maxInputBytes) throw pictureErrors.tooLarge(bytes.length, maxInputBytes);
  if (!isSentFormat(format)) return requireWithinLimits(await readHeader(bytes, format));
  const anatomy = pictureFormats[format].writable.read(bytes);
  if (!anatomy?.isComplete) {
    const ended = await withEnd(bytes, format);
    if (ended) return ended;
  }
  if (!anatomy) throw pictureErrors.unreadable(format);
  return requireWithinLimits({ ...anatomy, format, bytes });
}

/** A file that ends too early, with its end, if all its pixels are there: many programs show it as a whole picture. */
async function withEnd(bytes: Buffer, format: SentFormat): Promise<CheckedPicture | undefined> {
  const ended = pictureFormats[format].writable.end(bytes);
  if (!ended) return undefined;
  const anatomy = pictureFormats[format].writable.read(ended);
  if (!anatomy?.isComplete) return undefined;
  const source = requireWithinLimits({ ...anatomy, format, bytes: ended });
  const proven = await proveWhole(source);
  return proven && { ...source, bytes: proven };
}

/** libjpeg's warning about bytes that belong to no pass, such as what a camera put behind the picture. */
const leftOver = /(\d{1,9}) extraneous bytes before marker 0xd9/;
const endMarkerBytes = 2;

/** The file without what is left over behind its pixels; undefined if pixels are missing. */
async function proveWhole(source: CheckedPicture): Promise<Buffer | undefined> {
  const sharp = await loadSharp();
  // libjpeg makes missing pixels up, with a warning.
  const options = source.format === "jpeg" ? ({ failOn: "warning" } as const) : {};
  const { bytes } = source;
  try {
    await proveReadable(sharp, source, options);
    return bytes;
  } catch (error) {
    const extra = Number(leftOver.exec(error instanceof Error ? error.message : "")?.[1] ?? 0);
    if (extra === 0) return undefined;
    const end = bytes.length - endMarkerBytes;
    const rest = Buffer.concat([bytes.subarray(0, end - extra), bytes.subarray(end)]);
    return proveReadable(sharp, { ...source, bytes: rest }, options).then(
      () => rest,
      () => undefined,
    );
  }
}

function requireWithinLimits(source: CheckedPicture): CheckedPicture {
  const { width, height, format, bytes } = source;
  const most = mostPixels(source);
  const { cost } = formatFacts(format);
  if (cost && most <= 0) throw pictureErrors.tooLarge(bytes.length, cost.maxNs / cost.nsPerByte);
  if (width * height > most) throw pictureErrors.pixels(width, height, most);
  if (Math.max(width, height) > maxSide) {
    const facts = { width, height, maxSide };
    throw new InputError(`${width}x${height} pixels`, { code: "picture_side", facts });
  }
  if (!source.isComplete) throw pictureErrors.truncated(format, bytes.length);
  if (source.unsupported) throw pictureErrors.unsupported(format, source.unsupported);
  if (width === 0 || height === 0) throw pictureErrors.unreadable(format);
  return source;
}

/** The format's own limit, or a lower one where this file takes more time or memory than others of as many pixels. */
function mostPixels(source: CheckedPicture): number {
  const { width, height, format, bytes, isLossless = false } = source;
  const { scans = 1, heldBytes = 0, rawBytes = 0, partBytes = 0 } = source;
  const pixels = width * height || 1;
  // A picture in several passes takes time for each pass, and memory for the whole picture.
  const byPasses = heldBytes === 0 ? Infinity : maxPassedPixels / Math.max(1, scans);
  const { maxPixels, cost } = formatFacts(format);
  return Math.floor(
    Math.min(
      maxPixels,
      byPasses,
      within(maxHeldBytes, heldBytes / pixels),
      within(maxRawBytes, rawBytes / pixels),
      within(maxPartBytes, partBytes / pixels),
      isLossless ? maxLosslessWebpPixels : Infinity,
      cost ? (cost.maxNs - bytes.length * cost.nsPerByte) / cost.nsPerPixel : Infinity,
    ),
  );
}

function within(maxBytes: number, bytesPerPixel: number): number {
  return bytesPerPixel === 0 ? Infinity : maxBytes / bytesPerPixel;
}

/**
 * For formats that are always converted, the decoder reads the header. If such a file is not complete, that is noticed when
 * its pixels are read.
 */
async function readHeader(bytes: Buffer, format: InputFormat): Promise<CheckedPicture> {
  const { open, decodes } = formatFacts(format);
  const opened = { bytes, ...open?.(bytes, format) };
  const sharp = await loadSharp();
  if (decodes && !sharp.format.heif.input.fileSuffix?.includes(decodes))
    throw pictureErrors.type(format);
  try {
    // Whatever size it claims: that is checked before anything is decoded.
    const metadata = await sharp(opened.bytes, { limitInputPixels: false }).metadata();
    const { width, height, orientation = 1, pages = 1 } = metadata;
    const frames = Math.max(pages, opened.frames ?? 1);
    return { format, width, height, orientation, isComplete: true, extras: [], ...opened, frames };
  } catch (error) {
    throw toPictureError(error, format, bytes.length);
  }
}

/** Reads every row at the smallest size the decoder offers, so that nothing is spent on a broken file. */
export async function proveReadable(
  sharp: Sharp,
  source: CheckedPicture,
  options: Pick<SharpOptions, "failOn"> = {},
): Promise<void> {
  await sharp(source.bytes, { ...sharpOptionsFor(source), ignoreIcc: true, ...options })
    .resize(64, 64, { fit: "fill" })
    .raw()
    .toBuffer();
}
