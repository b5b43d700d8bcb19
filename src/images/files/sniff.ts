import { asBuffer, type PictureDimensions } from "../size.ts";
import { type InputFormat, isSentFormat, pictureFormats, type SentFormat } from "./formats.ts";

type SniffedFormat = InputFormat | (string & {});

/** What is not read, but named in the error. */
const otherSignatures: readonly (readonly [found: string, magic: string])[] = [
  ["bmp", "BM"],
  ["ico", "\0\0\x01\0"],
  ["psd", "8BPS"],
  ["jxl", "\xff\x0a"],
  ["jxl", "????JXL \r\n"],
  ["jp2", "????jP  \r\n"],
  ["pdf", "%PDF-"],
  ["zip", "PK\x03\x04"],
  ["webm", "\x1aE\xdf\xa3"],
  ["mp4", "RIFF????AVI "],
];

const signatures = [
  ...Object.entries(pictureFormats).flatMap(([format, row]) =>
    "signatures" in row ? row.signatures.map((magic) => [format, magic] as const) : [],
  ),
  ...otherSignatures,
];

const stillBrands = new Map<string, string>(
  Object.entries(pictureFormats).flatMap(([format, row]) =>
    "brands" in row ? row.brands.map((brand) => [brand, format] as const) : [],
  ),
);

/** Brands that do not name the coding: one of those that follow does. */
const openBrands = new Set(["mif1", "msf1", "miaf"]);
const brandsEnd = 64;

/** Names what the bytes are, by their first few, whatever the file is called. */
export function sniffFormat(bytes: Buffer): SniffedFormat {
  const head = bytes.toString("latin1", 0, 64);
  const row = signatures.find(([, magic]) =>
    [...magic].every((byte, i) => byte === "?" || head[i] === byte),
  );
  if (row) return row[0];
  if (head.slice(4, 8) === "ftyp") return sniffBrands(head);
  return sniffText(bytes.subarray(0, 1024));
}

function sniffBrands(head: string): SniffedFormat {
  const major = head.slice(8, 12);
  if (!openBrands.has(major)) return stillBrands.get(major) ?? "mp4";
  for (let at = 16; at < brandsEnd; at += 4) {
    const found = stillBrands.get(head.slice(at, at + 4));
    if (found) return found;
  }
  return "heic";
}

function sniffText(head: Buffer): SniffedFormat {
  if (head.includes(0) || head.some((byte) => byte < 9)) return "unknown";
  const text = head.toString("utf8");
  if (/<svg[\s>]/i.test(text)) return "svg";
  if (/<!doctype html|<html|<head|<body/i.test(text)) return "html";
  // The head may cut the last letter in two; that alone does not rule out text.
  const isCut = head.length === 1024 && !text.slice(0, -1).includes("\ufffd");
  return text.includes("\ufffd") && !isCut ? "unknown" : "text";
}

/** What the first bytes of a picture say. */
export interface PictureHead {
  readonly format: SentFormat;
  readonly mediaType: (typeof pictureFormats)[SentFormat]["mediaType"];
  readonly extension: (typeof pictureFormats)[SentFormat]["extension"];
  /** Pixels as the picture is seen; undefined when its first bytes do not say. */
  readonly size: PictureDimensions | undefined;
}

/** A WebP has its size in its first 30 bytes, a PNG in 24. */
const leastBytes = 30;

/**
 * Reads no further than the size, so that any thread may do it. Undefined for anything but a JPEG, PNG or WebP. The
 * rest of the file is not checked.
 */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const buffer = asBuffer(bytes);
  const format = sniffFormat(buffer);
  if (!isSentFormat(format)) return undefined;
  const { mediaType, extension, readSize } = pictureFormats[format];
  const size = buffer.length < leastBytes ? undefined : readSize(buffer);
  const isSized = size !== undefined && size.width > 0 && size.height > 0;
  return { format, mediaType, extension, size: isSized ? size : undefined };
}
