import { maxParts } from "../limits.ts";
import { readOrientation } from "./exif.ts";
import type { ByteSpan, PictureStructure } from "./picture-structure.ts";

/** Container and flags: https://developers.google.com/speed/webp/docs/riff_container */
const fileHeaderBytes = 12;
const xmpFlag = 0x04;
const exifFlag = 0x08;
const flagsOffset = fileHeaderBytes + 8;

const metadataChunks = new Set(["EXIF", "XMP "]);
/** Chunks of pixels: of a picture, of its transparency, of an animation's frame. */
const pixelChunks = new Set(["VP8 ", "VP8L", "ALPH", "ANMF"]);
const keptChunks = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** Walks the chunks within the size the file declares. */
export function readWebp(bytes: Buffer): PictureStructure | undefined {
  const declared = bytes.readUInt32LE(4) + 8;
  const first = bytes.toString("latin1", fileHeaderBytes, fileHeaderBytes + 4);
  const isCut = bytes.length < (sizeEnds[first] ?? largestHead);
  const size = isCut ? { width: 0, height: 0 } : readWebpSize(bytes, first);
  if (!size) return undefined;
  let orientation = 1;
  let frames = 0;
  let hasPixels = false;
  let isLossless = false;
  const extras: ByteSpan[] = [];
  let parts = 0;
  for (const { name, start, end } of chunks(bytes)) {
    if (++parts > maxParts) return undefined;
    if (name !== "ALPH" && pixelChunks.has(name)) hasPixels = true;
    if (name === "ANMF") frames += 1;
    // An animation's frames have chunks of their own, of either kind.
    if (name === "VP8L" || name === "ANMF") isLossless = true;
    if (name === "EXIF") {
      // Some writers put JPEG's `Exif\0\0` in front of the block.
      const isPrefixed = bytes.toString("latin1", start + 8, start + 14) === "Exif\0\0";
      orientation = readOrientation(bytes.subarray(start + (isPrefixed ? 14 : 8), end));
    }
    if (metadataChunks.has(name)) extras.push({ start, end });
  }
  if (declared < bytes.length) extras.push({ start: declared, end: bytes.length });
  const isComplete = declared <= bytes.length && hasPixels;
  return { ...size, orientation, isLossless, isComplete, extras, frames: Math.max(1, frames) };
}

/** The file with its true size, where the size that it declares is wrong. Undefined if pixels are missing. */
export function endWebp(bytes: Buffer): Buffer | undefined {
  if (bytes.length < largestHead) return undefined;
  let last = fileHeaderBytes;
  let hasPixels = false;
  let parts = 0;
  for (const { name, end } of chunks(bytes, bytes.length)) {
    if (!chunkName.test(name)) break;
    if (++parts > maxParts) return undefined;
    if (name !== "ALPH" && pixelChunks.has(name)) hasPixels = true;
    last = end;
  }
  const isCut = pixelChunks.has(bytes.toString("latin1", last, last + 4));
  if (!hasPixels || isCut) return undefined;
  const whole = Buffer.from(bytes.subarray(0, last));
  whole.writeUInt32LE(last - 8, 4);
  return whole;
}

const chunkName = /^[A-Z0-9 ]{4}$/;

/** Keeps the picture's own chunks, clears the flags of what was removed, and writes the new size. */
export function stripWebp(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, fileHeaderBytes)];
  for (const { name, start, end } of chunks(bytes)) {
    if (keptChunks.has(name)) parts.push(bytes.subarray(start, end));
  }
  const stripped = Buffer.concat(parts);
  stripped.writeUInt32LE(stripped.length - 8, 4);
  if (stripped.toString("latin1", fileHeaderBytes, fileHeaderBytes + 4) === "VP8X") {
    stripped[flagsOffset] = (stripped[flagsOffset] ?? 0) & ~(xmpFlag | exifFlag);
  }
  return stripped;
}

/** Where the picture's size ends in the file: a lossless picture may have no more bytes than that. */
const sizeEnds: Readonly<Record<string, number>> = { VP8L: 25, "VP8 ": 30, VP8X: 30 };
const largestHead = 30;

export function readWebpSize(bytes: Buffer, first = bytes.toString("latin1", 12, 16)) {
  switch (first) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Every whole chunk with its padding byte, within the size the file declares. */
function* chunks(
  bytes: Buffer,
  last = Math.min(bytes.length, bytes.readUInt32LE(4) + 8),
): Generator<ByteSpan & { readonly name: string }> {
  let start = fileHeaderBytes;
  while (start + 8 <= last) {
    const length = bytes.readUInt32LE(start + 4);
    const end = Math.min(start + 8 + length + (length & 1), last);
    if (start + 8 + length > last) return;
    yield { name: bytes.toString("latin1", start, start + 4), start, end };
    start = end;
  }
}
