import { isSent, readParts } from "../files/anatomy.ts";
import { readPngHeader } from "../files/png.ts";
import { sniff } from "../files/sniff.ts";
import { maxClearPixels, maxDecodedPixels, maxPixels } from "../limits.ts";
import type { InputFormat } from "../types.ts";

interface Limits {
  readonly maxBytes: number;
  readonly maxPixels: number;
}

/** What a decoder holds for each pixel, measured; JPEG, PNG and TIFF pass by row by row. */
const decoded = {
  jpeg: 1,
  png: 4,
  webp: 7,
  gif: 5,
  avif: 18,
  heic: 18,
  tiff: 4,
} as const satisfies Record<InputFormat, number>;

/** Bytes of a pixel that was decoded. */
const samples = 4;

/** What is held for each pixel that is written: by JPEG, and by WebP where something shows through. */
const written = { jpeg: 4, webp: 22 } as const;

/** Of a place nothing larger than this is written. */
const maxPlacePixels = 8_000_000;

/** Sizes stand near the start, so that this stays cheap in the bot's own process. */
const headBytes = 256 * 1024;
const alphaBit = 4;

/** What making a picture ready for the service takes; where its size can't be told, as much as the largest. */
export function needToPrepare(input: Buffer, limits: Limits): number {
  const { format, pixels, isTold, heldBytes, mayBeClear } = readHead(input);
  const files = input.length * 2 + heldBytes;
  const base = files + pixels * decoded[format];
  const fits = isTold && input.length <= limits.maxBytes && pixels <= limits.maxPixels;
  if (fits && isSent(format)) return base;
  const left = Math.min(pixels, limits.maxPixels);
  const writing = mayBeClear ? Math.min(left, maxClearPixels) * written.webp : left * written.jpeg;
  // Their samples are all that is left of decoding when something is written.
  if (format === "avif" || format === "heic") {
    return files + pixels * Math.max(decoded[format], samples + writing / pixels);
  }
  return base + writing;
}

/** What fitting a picture into a place of a few megapixels takes. */
export function needToFit(input: Buffer): number {
  const { format, pixels, heldBytes } = readHead(input);
  const left = Math.min(pixels, maxPlacePixels);
  return input.length * 2 + heldBytes + pixels * decoded[format] + left * written.jpeg;
}

/** What showing a picture small takes. */
export function needToDraw(input: Buffer): number {
  const { format, pixels, heldBytes } = readHead(input);
  return input.length * 2 + heldBytes + pixels * decoded[format];
}

/** Where it can't be told, as many as a cut-out may have. */
export function pixelsOf(input: Buffer): number {
  return readHead(input).pixels;
}

interface Head {
  readonly format: InputFormat;
  readonly pixels: number;
  /** Whether the file tells them near its start. */
  readonly isTold: boolean;
  readonly heldBytes: number;
  readonly mayBeClear: boolean;
}

function readHead(input: Buffer): Head {
  const head = input.subarray(0, headBytes);
  const found = sniff(head);
  const format = found in decoded ? (found as InputFormat) : "jpeg";
  const anatomy = isSent(format) ? readParts(head, format) : undefined;
  const size = anatomy ?? (format === "gif" ? readGifSize(head) : undefined);
  const most = maxDecodedPixels[format];
  const pixels = (size?.width ?? 0) * (size?.height ?? 0);
  const isTold = pixels > 0 && pixels <= most;
  return {
    format,
    pixels: isTold ? pixels : Math.min(most, maxPixels),
    isTold,
    heldBytes: anatomy?.heldBytes ?? 0,
    mayBeClear: mayBeClear(format, head),
  };
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 18 */
function readGifSize(head: Buffer) {
  if (head.length < 10) return undefined;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

function mayBeClear(format: InputFormat, head: Buffer): boolean {
  if (format === "jpeg") return false;
  if (format !== "png") return true;
  const { colorType = 0 } = readPngHeader(head) ?? {};
  return (colorType & alphaBit) !== 0 || head.includes("tRNS");
}
