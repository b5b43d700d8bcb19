import { maxParts } from "../limits.ts";
import type { UnsupportedFeature } from "../picture-errors.ts";
import type { PictureDimensions } from "../size.ts";
import { readOrientation } from "./exif.ts";
import type { JpegComponent } from "./jpeg-scan.ts";
import { type ByteSpan, type PictureStructure, uprightSize } from "./picture-structure.ts";

/** Markers of ITU-T T.81, table B.1: https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
export const startOfScan = 0xda;
export const endOfImage = 0xd9;
const comment = 0xfe;
const startOfImage = 0xd8;
/** The frame of another standard in the same container: https://www.itu.int/rec/T-REC-T.87 */
const jpegLs = 0xf7;

const nearBytes = 64;

interface JpegSegment extends ByteSpan {
  readonly marker: number;
  /** Where the next one may start: for a scan, behind its pixels. */
  readonly next: number;
}

/** Application segments that colours depend on, by marker and what they start with. */
const keptSegments: readonly (readonly [marker: number, start: string])[] = [
  [0xe0, "JFIF\0"],
  [0xe2, "ICC_PROFILE\0"],
  [0xee, "Adobe"],
];

/** A JFIF segment without a thumbnail, its length not counted: https://www.w3.org/Graphics/JPEG/jfif3.pdf */
const jfif = 0xe0;
const jfifBytes = 14;

/** Arithmetic coding can be read here, but few browsers and services read it. */
export const firstArithmetic = 0xc9;

/** Walks the segments and the scans up to the end of the image. */
export function readJpeg(bytes: Buffer): PictureStructure | undefined {
  let frame: JpegFrame | undefined;
  let scans = 0;
  let orientation: number | undefined;
  let isComplete = false;
  let isRare = false;
  const extras: ByteSpan[] = [];
  let parts = 0;
  let expected = 2;
  for (const segment of walkJpeg(bytes)) {
    if (++parts > maxParts) return undefined;
    // Decoders skip what lies between two segments, though not before the first.
    if (segment.start > expected) extras.push({ start: expected, end: segment.start });
    expected = segment.next;
    const body = bytes.subarray(segment.start + 4, segment.end);
    if (segment.marker === endOfImage) {
      isComplete = true;
      // Cameras append more pictures or a film, with their own EXIF.
      if (segment.end < bytes.length) extras.push({ start: segment.end, end: bytes.length });
    } else if (segment.marker === jpegLs) {
      const unsupported = { feature: "coding", value: "LS" } as const;
      return { ...incomplete, extras, isComplete: true, unsupported };
    } else if (isFrameMarker(segment.marker)) {
      if (body.length < 6) return undefined;
      frame ??= readJpegFrame(segment.marker, body);
    } else if (segment.marker === startOfScan) {
      scans += 1;
    } else if (isExtra(segment.marker, body)) {
      extras.push({ start: segment.start, end: segment.end });
      if (isExifSegment(segment.marker, body)) orientation ??= readOrientation(body.subarray(6));
    } else if (segment.marker === jfif && body.length > jfifBytes) {
      // A thumbnail in it would show what was cut away from the picture.
      isRare = true;
    }
  }
  // A file with an end marker that the walk did not reach is damaged; one without it was cut off.
  if (!isComplete && bytes.subarray(-64).includes("\xff\xd9", 0, "latin1")) return undefined;
  if (!frame) return { ...incomplete, extras };
  const { width, height, samplesPerPixel } = frame;
  const blocks = (width * height * samplesPerPixel) / 64;
  // Too short for a picture of this size, whatever it shows.
  if (bytes.length * 8 < blocks * (bitsPerBlock[frame.marker] ?? 0))
    return { ...incomplete, extras };
  // Several passes: the decoder holds a number of 16 bits for each sample until the last.
  const isHeld = isProgressive(frame) || scans > 1;
  const held = isHeld && { scans, heldBytes: width * height * samplesPerPixel * 2 };
  const unsupported = unsupportedIn(frame);
  return {
    width,
    height,
    orientation: orientation ?? 1,
    frames: 1,
    isComplete,
    extras,
    isRare: isRare || frame.marker >= firstArithmetic,
    ...(unsupported && { unsupported }),
    ...held,
  };
}

/** Features that no decoder here supports: ITU-T T.81, B.1.1.3 and B.2.5. */
export function unsupportedIn(frame: JpegFrame): UnsupportedFeature | undefined {
  const { marker, bits, width, height } = frame;
  if ((marker & 3) === 3) return { feature: "lossless" };
  if ((marker & 4) === 4) return { feature: "hierarchical" };
  if (bits !== 8) return { feature: "bits", value: String(bits) };
  if (height === 0 && width > 0) return { feature: "height" };
  return undefined;
}

/** SOF2, SOF6, SOF10 and SOF14. */
export function isProgressive({ marker }: JpegFrame): boolean {
  return (marker & 3) === 2;
}

export interface JpegFrame extends PictureDimensions {
  readonly marker: number;
  /** Bits of a sample. */
  readonly bits: number;
  readonly components: readonly JpegComponent[];
  /** Of all components together: 3 when colours have the full resolution, 1.5 with a quarter of it. */
  readonly samplesPerPixel: number;
}

/** Size and sampling factors: ITU-T T.81, B.2.2. */
export function readJpegFrame(marker: number, body: Buffer): JpegFrame {
  const components = Array.from({ length: body[5] ?? 0 }, (_, i) => {
    const factors = body[7 + i * 3] ?? 0x11;
    return { id: body[6 + i * 3] ?? 0, across: factors >> 4 || 1, down: factors & 15 || 1 };
  });
  const across = components.map((one) => one.across);
  const down = components.map((one) => one.down);
  const samples = components.reduce((sum, one) => sum + one.across * one.down, 0);
  return {
    marker,
    components,
    bits: body[0] ?? 0,
    height: body.readUInt16BE(1),
    width: body.readUInt16BE(3),
    samplesPerPixel: samples / (Math.max(1, ...across) * Math.max(1, ...down)),
  };
}

/**
 * By the frame's marker, the fewest bits of a block of 64 samples: two codes, or one if the rest may follow in later
 * scans. Arithmetic coding has no such bound.
 */
const bitsPerBlock: Readonly<Record<number, number>> = { 192: 2, 193: 2, 194: 1 };

const incomplete = { width: 0, height: 0, orientation: 1, frames: 1, isComplete: false } as const;

/** Removes the given parts; pixels are not touched. */
export function stripJpeg(bytes: Buffer, extras: readonly ByteSpan[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of extras) {
    parts.push(bytes.subarray(at, start));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Stops at the end of the image or where the bytes run out; like decoders, skips stray bytes between segments. */
export function* walkJpeg(bytes: Buffer): Generator<JpegSegment> {
  let at = 2;
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff) {
      at += 1;
      continue;
    }
    // Nothing follows TEM and the restarts.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    if (marker === endOfImage) return yield { marker, start: at, end: at + 2, next: at + 2 };
    if (at + 4 > bytes.length || marker === startOfImage) return;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) return;
    const next = marker === startOfScan ? afterScan(bytes, end) : end;
    yield { marker, start: at, end, next };
    at = next;
  }
}

/**
 * Skips entropy-coded bytes up to a marker that may follow a scan; stuffing, restarts and damage don't count. `indexOf` is
 * fast where 0xff is rare, but slow to start, so the next few bytes are checked one by one.
 */
function afterScan(bytes: Buffer, from: number): number {
  const last = bytes.length - 1;
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at)) {
    for (const near = Math.min(at + nearBytes, last); at < near; at++) {
      if (bytes[at] !== 0xff) continue;
      const marker = bytes[at + 1] ?? 0;
      // Some cameras put another picture behind the first, without an end marker between them.
      const isNextPicture = marker === startOfImage && bytes[at + 2] === 0xff;
      // DHT, EOI to DRI, APPn, COM.
      const isTable = marker === 0xc4 || (marker >= endOfImage && marker <= 0xdd);
      const isApplication = marker >= 0xe0 && marker <= 0xef;
      if (isTable || isApplication || marker === comment || isNextPicture) return at;
    }
    if (at >= last) break;
  }
  return bytes.length;
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which share the range. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isExtra(marker: number, body: Buffer): boolean {
  if (marker === comment) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const head = body.toString("latin1", 0, 16);
  return !keptSegments.some(([at, start]) => at === marker && head.startsWith(start));
}

function isExifSegment(marker: number, body: Buffer): boolean {
  return marker === 0xe1 && body.toString("latin1", 0, 6) === "Exif\0\0";
}

/** Most segments of a JPEG before its size: a profile of 16 MB takes 256. */
const maxHeadSegments = 1_000;
/** Decoders skip stray bytes between segments; a file of nothing else must not take long. */
const maxStrayBytes = 128 * 1024;

/** Profiles, previews and comments before the size may be megabytes. */
export function readJpegSize(bytes: Buffer): PictureDimensions | undefined {
  let orientation: number | undefined;
  let segments = 0;
  let strayBytes = 0;
  let at = 2;
  while (at + 4 <= bytes.length && segments < maxHeadSegments && strayBytes < maxStrayBytes) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff) {
      strayBytes += 1;
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, end);
    if (marker === startOfScan || (isFrameMarker(marker) && body.length < 5)) return undefined;
    if (isFrameMarker(marker)) {
      const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
      return uprightSize({ width, height, orientation: orientation ?? 1 });
    }
    if (isExifSegment(marker, body)) orientation ??= readOrientation(body.subarray(6));
    segments += 1;
    at = end;
  }
  return undefined;
}
