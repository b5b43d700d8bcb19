import { pictureErrors } from "../picture-errors.ts";
import type { ByteSpan } from "./picture-structure.ts";

/** Boxes of the ISO container: a length of 32 bits, a type, content; ISO/IEC 14496-12, 4.2. */
const headBytes = 8;

/** The boxes that contain the list of a film's samples: ISO/IEC 14496-12, 6.2.3. */
const aroundSamples = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
const maxDepth = 5;
const maxBoxes = 100;

/** The file as its decoder gets it. That applies the rotation which such a container asks for. */
export function openHeif(bytes: Buffer, found: string) {
  const outermost = [...boxes(bytes)].map(({ type }) => type);
  // A picture has few boxes, and libheif takes seconds for millions of empty ones.
  if (outermost.length > maxBoxes) throw pictureErrors.unreadable(found);
  if (outermost.includes("moov") && !outermost.includes("meta"))
    throw pictureErrors.unsupported(found, { feature: "film" });
  // The still picture says nothing about the film's frames. Each takes at least a byte.
  const frames = Math.min(bytes.length, Math.max(1, longestTrack(bytes, 0)));
  return { bytes: asStillPicture(bytes), orientation: 1, frames };
}

/** Brands of a sequence, and what they are called for its still picture alone. */
const stillBrands: Readonly<Record<string, string>> = { avis: "avif", msf1: "mif1" };
const brandBytes = 4;

/**
 * A sequence holds a still picture too. It is read without its film and without the brands that name one: libheif would
 * read the film first, and looks for it where any brand says so.
 */
function asStillPicture(bytes: Buffer): Buffer {
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

/** The number of frames of the longest track; 0 if there is none. */
function longestTrack(bytes: Buffer, depth: number): number {
  let most = 0;
  for (const { type, start, end } of boxes(bytes)) {
    const body = bytes.subarray(start + headBytes, end);
    // Version and flags, one size for all samples, then their number.
    if (type === "stsz" && body.length >= 12) most = Math.max(most, body.readUInt32BE(8));
    if (aroundSamples.has(type) && depth < maxDepth) {
      most = Math.max(most, longestTrack(body, depth + 1));
    }
  }
  return most;
}

/** The boxes, one after the other. One of length 0 (up to the end) or 1 (a length of 64 bits follows) ends the list. */
function* boxes(bytes: Buffer): Generator<ByteSpan & { readonly type: string }> {
  let start = 0;
  for (let count = 0; start + headBytes <= bytes.length && count <= maxBoxes; count++) {
    const length = bytes.readUInt32BE(start);
    if (length < headBytes) return;
    const end = start + length;
    yield { type: bytes.toString("latin1", start + 4, start + headBytes), start, end };
    start = end;
  }
}
