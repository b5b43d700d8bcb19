import { readJpeg } from "./jpeg.ts";
import { maxInputBytes, maxPixels } from "./limits.ts";
import { readPng } from "./png.ts";
import { refusal } from "./refusal.ts";
import { sniff } from "./sniff.ts";
import type { SentFormat } from "./types.ts";
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
  readonly isAnimated: boolean;
  /** False when the file ends before its own last part. */
  readonly isComplete: boolean;
  /** Parts that pixels and colours do not need: EXIF, XMP, IPTC, comments, whatever follows the picture. */
  readonly extras: readonly Span[];
}

/** Reads a file's parts; `undefined` when they make no sense. */
type Reader = (bytes: Buffer) => Anatomy | undefined;

const readers = { jpeg: readJpeg, png: readPng, webp: readWebp } satisfies Record<
  SentFormat,
  Reader
>;

/** Judges a picture by its bytes and refuses what can't be taken, the cheapest question first. */
export function dissect(bytes: Buffer): Anatomy & { readonly format: SentFormat } {
  if (bytes.length === 0) throw refusal.empty();
  const found = sniff(bytes);
  if (!isTaken(found)) throw refusal.type(found);
  if (bytes.length > maxInputBytes) throw refusal.tooLarge(bytes.length, maxInputBytes);
  const anatomy = readers[found](bytes);
  if (!anatomy) throw refusal.unreadable(found);
  if (anatomy.isAnimated) throw refusal.animated(found);
  if (anatomy.width * anatomy.height > maxPixels) {
    throw refusal.pixels(anatomy.width, anatomy.height);
  }
  if (!anatomy.isComplete) throw refusal.truncated(found, bytes.length);
  if (anatomy.width === 0 || anatomy.height === 0) throw refusal.unreadable(found);
  return { ...anatomy, format: found };
}

/** Orientations 5 to 8 lie on their side. */
export function upright(anatomy: Anatomy): { readonly width: number; readonly height: number } {
  const { width, height, orientation } = anatomy;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

function isTaken(found: string): found is SentFormat {
  return found in readers;
}
