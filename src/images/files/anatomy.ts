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
import { refusal, type Unsupported } from "../refusal.ts";
import type { InputFormat, SentFormat } from "../types.ts";
import { readHeader } from "./header.ts";
import { readJpeg } from "./jpeg.ts";
import { readPng } from "./png.ts";
import { sniff } from "./sniff.ts";
import { readWebp } from "./webp.ts";

/** Part of a file, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a file says of itself, read without decoding a pixel. */
export interface Anatomy {
  /** As stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** 1 to 8 as in EXIF; 1 is upright. */
  readonly orientation: number;
  /** 1 for a still picture. */
  readonly frames: number;
  /** Passes over the whole picture, where there is more than one, and what the decoder holds meanwhile. */
  readonly scans?: number;
  readonly heldBytes?: number;
  /** Samples as the file has them, where decoders need them so: of the whole picture, and of its largest part. */
  readonly rawBytes?: number;
  readonly partBytes?: number;
  /** Of a WebP: whether its pixels are coded without loss. */
  readonly isLossless?: boolean;
  /** To which power samples have to be taken to be sRGB's, where a PNG's gamma says so. */
  readonly exponent?: number;
  /** False when the file ends before its own last part. */
  readonly isComplete: boolean;
  /** Whether few readers do it justice, so that it is never sent on as it is. */
  readonly isRare?: boolean;
  readonly unsupported?: Unsupported;
  /** Parts that pixels and colours do not need: EXIF, XMP, IPTC, comments, whatever follows the picture. */
  readonly extras: readonly Span[];
}

/** A picture that has been judged and may be decoded. */
export interface Source extends Anatomy {
  readonly format: InputFormat;
  /** For the decoder: the file as it came, save a brand that the decoder would not know. */
  readonly bytes: Buffer;
}

/** Reads a file's parts; `undefined` when they make no sense. */
type Reader = (bytes: Buffer) => Anatomy | undefined;

const readers = { jpeg: readJpeg, png: readPng, webp: readWebp } satisfies Record<
  SentFormat,
  Reader
>;

/** Judges a picture by its bytes and refuses what can't be taken, the cheapest question first. */
export async function dissect(bytes: Buffer): Promise<Source> {
  if (bytes.length === 0) throw refusal.empty();
  const format = sniff(bytes);
  if (!isTaken(format)) throw refusal.type(format);
  if (bytes.length > maxInputBytes) throw refusal.tooLarge(bytes.length, maxInputBytes);
  if (!isSent(format)) return judged(await readHeader(bytes, format));
  const anatomy = readParts(bytes, format);
  if (!anatomy) throw refusal.unreadable(format);
  return judged({ ...anatomy, format, bytes });
}

/** Undefined where they make no sense. */
export function readParts(bytes: Buffer, format: SentFormat): Anatomy | undefined {
  return readers[format](bytes);
}

function judged(source: Source): Source {
  const { width, height, format, bytes } = source;
  const most = mostPixels(source);
  if (most <= 0) throw refusal.tooLarge(bytes.length, avifCost.maxNs / avifCost.nsPerByte);
  if (width * height > most) throw refusal.pixels(width, height, most);
  if (Math.max(width, height) > maxSide) throw refusal.side(width, height, maxSide);
  if (!source.isComplete) throw refusal.truncated(format, bytes.length);
  if (source.unsupported) throw refusal.unsupported(format, source.unsupported);
  if (width === 0 || height === 0) throw refusal.unreadable(format);
  return source;
}

/** The format's own limit, or a lower one where this file takes more time or memory than others of as many pixels. */
function mostPixels(source: Source): number {
  const { width, height, format, bytes, isLossless = false } = source;
  const { scans = 1, heldBytes = 0, rawBytes = 0, partBytes = 0 } = source;
  const pixels = width * height || 1;
  // What is decoded in passes takes time for each, and memory for all of the picture.
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

/** Orientations 5 to 8 lie on their side. */
export function upright(anatomy: Pick<Anatomy, "width" | "height" | "orientation">): {
  readonly width: number;
  readonly height: number;
} {
  const { width, height, orientation } = anatomy;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Formats that the services take as they are. */
export function isSent(format: string): format is SentFormat {
  return format in readers;
}

function isTaken(format: string): format is InputFormat {
  return format in maxDecodedPixels;
}
