/** Boxes of the ISO container: a length of 32 bits, a type, content; ISO/IEC 14496-12, 4.2. */
const headBytes = 8;
const brandOffset = 8;

/** Around the list of a film's samples: ISO/IEC 14496-12, 6.2.3. */
const aroundSamples = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
const maxDepth = 5;
const maxBoxes = 100;

/** Whether its outermost boxes are as few as a picture's are: libheif takes seconds for millions of empty ones. */
export function isPlausible(bytes: Buffer): boolean {
  let parts = 0;
  for (let at = 0; at + headBytes <= bytes.length && parts <= maxBoxes; parts++) {
    const length = bytes.readUInt32BE(at);
    // The last one may say 0, up to the end, or 1, a length of 64 bits.
    if (length < headBytes) break;
    at += length;
  }
  return parts <= maxBoxes;
}

/** libvips knows a still picture's brands only, and a sequence holds a still picture under another. */
export function withKnownBrand(bytes: Buffer): Buffer {
  if (bytes.toString("latin1", brandOffset, brandOffset + 4) !== "avis") return bytes;
  const known = Buffer.from(bytes);
  known.write("avif", brandOffset, "latin1");
  return known;
}

/** Frames of the longest track, 1 where there is none: a sequence's own count, which its still picture does not tell. */
export function countFrames(bytes: Buffer): number {
  return Math.max(1, samplesIn(bytes, 0));
}

function samplesIn(bytes: Buffer, depth: number): number {
  let most = 0;
  for (let at = 0, parts = 0; at + headBytes <= bytes.length && parts < maxBoxes; parts++) {
    const length = bytes.readUInt32BE(at);
    if (length < headBytes) break;
    const type = bytes.toString("latin1", at + 4, at + headBytes);
    const body = bytes.subarray(at + headBytes, at + length);
    // Version and flags, one size for all samples, then their number.
    if (type === "stsz" && body.length >= 12) most = Math.max(most, body.readUInt32BE(8));
    if (aroundSamples.has(type) && depth < maxDepth) {
      most = Math.max(most, samplesIn(body, depth + 1));
    }
    at += length;
  }
  return most;
}
