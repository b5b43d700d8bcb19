import type { Metadata } from "sharp";
import { refusal, translate } from "../refusal.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { InputFormat, SentFormat } from "../types.ts";
import type { Source, Span } from "./anatomy.ts";
import { readTiff, type TiffLayout } from "./tiff.ts";

type Converted = Exclude<InputFormat, SentFormat>;

/**
 * Formats that are never sent on as they are need no parts of their own: the decoder reads their header. Whether a file
 * is whole shows when its pixels are read.
 */
export async function readHeader(bytes: Buffer, found: Converted): Promise<Source> {
  const isHeif = found === "avif" || found === "heic";
  if (isHeif && !isPlausible(bytes)) throw refusal.unreadable(found);
  const layout = found === "tiff" ? readTiff(bytes) : undefined;
  if (found === "tiff") requireSense(layout, bytes);
  if (isHeif && !hasStill(bytes)) throw refusal.unsupported(found, { feature: "film" });
  const sharp = await loadSharp();
  if (found === "heic" && !decodesHevc(sharp)) throw refusal.type(found);
  const readable = isHeif ? asStill(bytes) : bytes;
  const metadata = await metadataOf(sharp, readable, found);
  const { width, height, pages = 1 } = metadata;
  return {
    format: found,
    bytes: readable,
    width,
    height,
    // The container's own turns are made by its decoder.
    orientation: isHeif ? 1 : (metadata.orientation ?? 1),
    frames: Math.max(pages, isHeif ? countFrames(bytes) : 1),
    ...(layout && { rawBytes: layout.rawBytes, partBytes: layout.partBytes }),
    isComplete: true,
    extras: [],
  };
}

/** A decoder makes room for what a TIFF claims before it looks for a byte of it. */
function requireSense(layout: TiffLayout | undefined, bytes: Buffer): void {
  if (layout === undefined) throw refusal.unreadable("tiff");
  const { unsupported, isComplete } = layout;
  // Some of them keep their pixels where nobody else looks for them.
  const isElsewhere = unsupported?.feature === "compression";
  if (!isComplete && !isElsewhere) throw refusal.truncated("tiff", bytes.length);
  if (unsupported) throw refusal.unsupported("tiff", unsupported);
}

/** Only the header, whatever size it tells: that is judged before anything is decoded. */
async function metadataOf(sharp: Sharp, bytes: Buffer, found: Converted): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch (error) {
    throw translate(error, found, bytes.length);
  }
}

/** The decoder of HEIC is patented and comes only with a libvips that the system brings. */
function decodesHevc(sharp: Sharp): boolean {
  return sharp.format.heif.input.fileSuffix?.includes(".heic") ?? false;
}

/** Boxes of the ISO container: a length of 32 bits, a type, content; ISO/IEC 14496-12, 4.2. */
const headBytes = 8;

/** Around the list of a film's samples: ISO/IEC 14496-12, 6.2.3. */
const aroundSamples = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
const maxDepth = 5;
const maxBoxes = 100;

/** Whether its outermost boxes are as few as a picture's are: libheif takes seconds for millions of empty ones. */
function isPlausible(bytes: Buffer): boolean {
  let count = 0;
  for (const _ of boxes(bytes)) count += 1;
  return count <= maxBoxes;
}

/** Brands of a sequence, and what they are called for its still picture alone. */
const stillBrands: Readonly<Record<string, string>> = { avis: "avif", msf1: "mif1" };
const brandBytes = 4;

/** Whether there is a picture beside a film, or no film at all. */
function hasStill(bytes: Buffer): boolean {
  const types = new Set([...boxes(bytes)].map(({ type }) => type));
  return types.has("meta") || !types.has("moov");
}

/**
 * A sequence holds a still picture too. It is read without its film and without each brand that speaks of one: libheif
 * would read the film first, and looks for it where any brand says so.
 */
function asStill(bytes: Buffer): Buffer {
  const still = Buffer.from(bytes);
  for (const { type, start, end } of boxes(bytes)) {
    if (type === "moov") still.write("free", start + 4);
    if (type !== "ftyp") continue;
    const last = Math.min(end, bytes.length) - brandBytes;
    for (let at = start + headBytes; at <= last; at += brandBytes) {
      const brand = stillBrands[bytes.toString("latin1", at, at + brandBytes)];
      if (brand) still.write(brand, at, "latin1");
    }
  }
  return still;
}

/**
 * Frames of the longest track, 1 where there is none: a sequence's own count, which its still picture does not tell.
 * No frame takes less than a byte.
 */
function countFrames(bytes: Buffer): number {
  return Math.min(bytes.length, Math.max(1, samplesIn(bytes, 0)));
}

function samplesIn(bytes: Buffer, depth: number): number {
  let most = 0;
  for (const { type, start, end } of boxes(bytes)) {
    const body = bytes.subarray(start + headBytes, end);
    // Version and flags, one size for all samples, then their number.
    if (type === "stsz" && body.length >= 12) most = Math.max(most, body.readUInt32BE(8));
    if (aroundSamples.has(type) && depth < maxDepth) {
      most = Math.max(most, samplesIn(body, depth + 1));
    }
  }
  return most;
}

/** One after the other; a last one that says 0, up to the end, or 1, a length of 64 bits, is left out. */
function* boxes(bytes: Buffer): Generator<Span & { readonly type: string }> {
  let start = 0;
  for (let count = 0; start + headBytes <= bytes.length && count <= maxBoxes; count++) {
    const length = bytes.readUInt32BE(start);
    if (length < headBytes) return;
    const end = start + length;
    yield { type: bytes.toString("latin1", start + 4, start + headBytes), start, end };
    start = end;
  }
}
