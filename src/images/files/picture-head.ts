import { asBuffer, type Size } from "../size.ts";
import type { SentFormat } from "../types.ts";
import { isSent, upright } from "./anatomy.ts";
import { readOrientation } from "./exif.ts";
import { isExif, isFrame, startOfScan } from "./jpeg.ts";
import { sniff } from "./sniff.ts";
import { readSize as readWebpSize } from "./webp.ts";

/** What the first bytes of a picture tell. */
export interface PictureHead {
  readonly format: SentFormat;
  /** Pixels as the picture is seen; undefined when its head does not tell. */
  readonly size: Size | undefined;
}

/** A WebP tells its size in its first 30 bytes, a PNG in 24. */
const leastBytes = 30;

/** Of an honest JPEG before its size: a profile of 16 MB takes 256. */
const mostSegments = 1_000;
/** Decoders skip stray bytes between segments; a file of nothing else must not take long. */
const mostStrayBytes = 128 * 1024;

/**
 * Reads no further than the size, so that any thread may do it. Undefined for anything but a JPEG, PNG or WebP. Whether the
 * rest of the file makes sense is not looked at.
 */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const buffer = asBuffer(bytes);
  const format = sniff(buffer);
  if (!isSent(format)) return undefined;
  const size = buffer.length < leastBytes ? undefined : readers[format](buffer);
  return { format, size: size && size.width > 0 && size.height > 0 ? size : undefined };
}

const readers = {
  jpeg: jpegSize,
  png: pngSize,
  webp: (bytes) => readWebpSize(bytes, bytes.toString("latin1", 12, 16)),
} satisfies Record<SentFormat, (bytes: Buffer) => Size | undefined>;

/** IHDR comes first: https://www.w3.org/TR/png-3/#5ChunkOrdering */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Profiles, previews and comments before the size may be megabytes. */
function jpegSize(bytes: Buffer): Size | undefined {
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
    if (marker === startOfScan || (isFrame(marker) && body.length < 5)) return undefined;
    if (isFrame(marker)) {
      const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
      return upright({ width, height, orientation: orientation ?? 1 });
    }
    if (isExif(marker, body)) orientation ??= readOrientation(body.subarray(6));
    segments += 1;
    at = end;
  }
  return undefined;
}
