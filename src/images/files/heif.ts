import type { Span } from "./anatomy.ts";

/** Boxes of the ISO container: a length of 32 bits, a type, content; ISO/IEC 14496-12, 4.2. */
const headBytes = 8;
const brandOffset = 8;

/** Around the list of a film's samples: ISO/IEC 14496-12, 6.2.3. */
const aroundSamples = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
const maxDepth = 5;
const maxBoxes = 100;

/** Whether its outermost boxes are as few as a picture's are: libheif takes seconds for millions of empty ones. */
export function isPlausible(bytes: Buffer): boolean {
  let count = 0;
  for (const _ of boxes(bytes)) count += 1;
  return count <= maxBoxes;
}

/**
 * A sequence holds a still picture too, under a brand that libvips does not know; its film is left out, because
 * libheif would read that first.
 */
export function asStill(bytes: Buffer): Buffer {
  if (bytes.toString("latin1", brandOffset, brandOffset + 4) !== "avis") return bytes;
  const still = Buffer.from(bytes);
  still.write("avif", brandOffset, "latin1");
  for (const { type, start } of boxes(bytes)) if (type === "moov") still.write("free", start + 4);
  return still;
}

/**
 * Frames of the longest track, 1 where there is none: a sequence's own count, which its still picture does not tell.
 * No frame takes less than a byte.
 */
export function countFrames(bytes: Buffer): number {
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
