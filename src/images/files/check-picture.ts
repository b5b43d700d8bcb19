import type { Metadata } from "sharp";
import {
  avifCost,
  maxDecodedPixels,
  maxHeldBytes,
  maxInputBytes,
  maxLosslessWebpPixels,
  maxPartBytes,
  maxPassedPixels,
  maxRawBytes,
  maxSide,
} from "../limits.ts";
import { pictureRefusal, toPictureRefusal } from "../refusal.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { InputFormat, SentFormat } from "../types.ts";
import { endJpeg } from "./end-jpeg.ts";
import { asStillPicture, countHeifFrames, hasFewBoxes, hasStillPicture } from "./heif.ts";
import { readJpeg } from "./jpeg.ts";
import type { CheckedPicture, PictureStructure } from "./picture-structure.ts";
import { endPng, readPng } from "./png.ts";
import { proveReadable } from "./prove-readable.ts";
import { sniffFormat } from "./sniff.ts";
import { readTiff, type TiffLayout } from "./tiff.ts";
import { endWebp, readWebp } from "./webp.ts";

/** Reads the structure of a file; `undefined` if it is damaged. */
type StructureReader = (bytes: Buffer) => PictureStructure | undefined;

const readers = { jpeg: readJpeg, png: readPng, webp: readWebp } satisfies Record<
  SentFormat,
  StructureReader
>;

/** Writes the end that a file lacks; undefined if pixels are missing, as far as that can be told without decoding them. */
const endings = { jpeg: endJpeg, png: endPng, webp: endWebp } satisfies Record<
  SentFormat,
  (bytes: Buffer) => Buffer | undefined
>;

/** Checks a picture by its bytes and refuses what can't be read, the cheapest check first. */
export async function checkPicture(bytes: Buffer): Promise<CheckedPicture> {
  if (bytes.length === 0) throw pictureRefusal.empty();
  const format = sniffFormat(bytes);
  if (!isTaken(format)) throw pictureRefusal.type(format);
  if (bytes.length > maxInputBytes) throw pictureRefusal.tooLarge(bytes.length, maxInputBytes);
  if (!isSentFormat(format)) return requireWithinLimits(await readHeader(bytes, format));
  const anatomy = readStructure(bytes, format);
  if (!anatomy?.isComplete) {
    const ended = await withEnd(bytes, format);
    if (ended) return ended;
  }
  if (!anatomy) throw pictureRefusal.unreadable(format);
  return requireWithinLimits({ ...anatomy, format, bytes });
}

/** A file that ends too early, with its end, if all its pixels are there: many programs show it as a whole picture. */
async function withEnd(bytes: Buffer, format: SentFormat): Promise<CheckedPicture | undefined> {
  const ended = endings[format](bytes);
  if (!ended) return undefined;
  const anatomy = readStructure(ended, format);
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

/** Reads the structure of a file; undefined if it is damaged. */
export function readStructure(bytes: Buffer, format: SentFormat): PictureStructure | undefined {
  return readers[format](bytes);
}

function requireWithinLimits(source: CheckedPicture): CheckedPicture {
  const { width, height, format, bytes } = source;
  const most = mostPixels(source);
  if (most <= 0) throw pictureRefusal.tooLarge(bytes.length, avifCost.maxNs / avifCost.nsPerByte);
  if (width * height > most) throw pictureRefusal.pixels(width, height, most);
  if (Math.max(width, height) > maxSide) throw pictureRefusal.side(width, height, maxSide);
  if (!source.isComplete) throw pictureRefusal.truncated(format, bytes.length);
  if (source.unsupported) throw pictureRefusal.unsupported(format, source.unsupported);
  if (width === 0 || height === 0) throw pictureRefusal.unreadable(format);
  return source;
}

/** The format's own limit, or a lower one where this file takes more time or memory than others of as many pixels. */
function mostPixels(source: CheckedPicture): number {
  const { width, height, format, bytes, isLossless = false } = source;
  const { scans = 1, heldBytes = 0, rawBytes = 0, partBytes = 0 } = source;
  const pixels = width * height || 1;
  // A picture in several passes takes time for each pass, and memory for the whole picture.
  const byPasses = heldBytes === 0 ? Infinity : maxPassedPixels / Math.max(1, scans);
  const { nsPerPixel, nsPerByte, maxNs } = avifCost;
  return Math.floor(
    Math.min(
      maxDecodedPixels[format],
      byPasses,
      within(maxHeldBytes, heldBytes / pixels),
      within(maxRawBytes, rawBytes / pixels),
      within(maxPartBytes, partBytes / pixels),
      isLossless ? maxLosslessWebpPixels : Infinity,
      format === "avif" ? (maxNs - bytes.length * nsPerByte) / nsPerPixel : Infinity,
    ),
  );
}

function within(maxBytes: number, bytesPerPixel: number): number {
  return bytesPerPixel === 0 ? Infinity : maxBytes / bytesPerPixel;
}

/** Formats that the services take as they are. */
export function isSentFormat(format: string): format is SentFormat {
  return format in readers;
}

function isTaken(format: string): format is InputFormat {
  return format in maxDecodedPixels;
}

type ConvertedFormat = Exclude<InputFormat, SentFormat>;

/**
 * For formats that are always converted, the decoder reads the header. If such a file is not complete, that is noticed when
 * its pixels are read.
 */
async function readHeader(bytes: Buffer, found: ConvertedFormat): Promise<CheckedPicture> {
  const isHeif = found === "avif" || found === "heic";
  if (isHeif && !hasFewBoxes(bytes)) throw pictureRefusal.unreadable(found);
  const layout = found === "tiff" ? readTiff(bytes) : undefined;
  if (found === "tiff") requireSoundTiff(layout, bytes);
  if (isHeif && !hasStillPicture(bytes))
    throw pictureRefusal.unsupported(found, { feature: "film" });
  const sharp = await loadSharp();
  if (found === "heic" && !decodesHevc(sharp)) throw pictureRefusal.type(found);
  const readable = isHeif ? asStillPicture(bytes) : bytes;
  const metadata = await metadataOf(sharp, readable, found);
  const { width, height, pages = 1 } = metadata;
  return {
    format: found,
    bytes: readable,
    width,
    height,
    // The decoder itself applies the rotation that such a container asks for.
    orientation: isHeif ? 1 : (metadata.orientation ?? 1),
    frames: Math.max(pages, isHeif ? countHeifFrames(bytes) : 1),
    ...(layout && { rawBytes: layout.rawBytes, partBytes: layout.partBytes }),
    isComplete: true,
    extras: [],
  };
}

/** A decoder reserves memory for what a TIFF claims before it reads a byte of it. */
function requireSoundTiff(layout: TiffLayout | undefined, bytes: Buffer): void {
  if (layout === undefined) throw pictureRefusal.unreadable("tiff");
  const { unsupported, isComplete } = layout;
  // Files with an unsupported compression may keep their pixels elsewhere.
  const isElsewhere = unsupported?.feature === "compression";
  if (!isComplete && !isElsewhere) throw pictureRefusal.truncated("tiff", bytes.length);
  if (unsupported) throw pictureRefusal.unsupported("tiff", unsupported);
}

/** Reads the header only, whatever size it claims: the size is checked before anything is decoded. */
async function metadataOf(sharp: Sharp, bytes: Buffer, found: ConvertedFormat): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw toPictureRefusal(error, found, bytes.length);
  }
}

/** The decoder of HEIC is patented and comes only with a libvips of the system. */
function decodesHevc(sharp: Sharp): boolean {
  return sharp.format.heif.input.fileSuffix?.includes(".heic") ?? false;
}
