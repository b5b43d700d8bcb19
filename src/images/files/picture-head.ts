import { asBuffer, type PictureDimensions } from "../size.ts";
import type { SentFormat } from "../types.ts";
import { isSentFormat } from "./check-picture.ts";
import { readOrientation } from "./exif.ts";
import { isExifSegment, isFrameMarker, startOfScan } from "./jpeg.ts";
import { uprightSize } from "./picture-structure.ts";
import { sniffFormat } from "./sniff.ts";
import { readWebpSize } from "./webp.ts";

/** What the first bytes of a picture say. */
export interface PictureHead {
  readonly format: SentFormat;
  /** Pixels as the picture is seen; undefined when its first bytes do not say. */
  readonly size: PictureDimensions | undefined;
}

/** A WebP has its size in its first 30 bytes, a PNG in 24. */
const leastBytes = 30;

/** Most segments of a JPEG before its size: a profile of 16 MB takes 256. */
const mostSegments = 1_000;
/** Decoders skip stray bytes between segments; a file of nothing else must not take long. */
const mostStrayBytes = 128 * 1024;

/**
 * Reads no further than the size, so that any thread may do it. Undefined for anything but a JPEG, PNG or WebP. The
 * rest of the file is not checked.
 */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const buffer = asBuffer(bytes);
  const format = sniffFormat(buffer);
  if (!isSentFormat(format)) return undefined;
  const size = buffer.length < leastBytes ? undefined : readers[format](buffer);
  return { format, size: size && size.width > 0 && size.height > 0 ? size : undefined };
}

const readers = {
  jpeg: jpegSize,
  png: pngSize,
  webp: (bytes) => readWebpSize(bytes, bytes.toString("latin1", 12, 16)),
} satisfies Record<SentFormat, (bytes: Buffer) => PictureDimensions | undefined>;

/** IHDR comes first: https://www.w3.org/TR/png-3/#5ChunkOrdering */
function pngSize(bytes: Buffer): PictureDimensions | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Profiles, previews and comments before the size may be megabytes. */
function jpegSize(bytes: Buffer): PictureDimensions | undefined {
  let orientation: number | undefined;
  let segments = 0;
  let strayBytes = 0;
  let at = 2;
  while (at + 4 <= bytes.length && segments < mostSegments && strayBytes < mostStrayBytes) {
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
