import { peekAlphaPixels } from "../cutout/zip.ts";
import { isSentFormat, readStructure } from "../files/check-picture.ts";
import { readPngHeader } from "../files/png.ts";
import { sniffFormat } from "../files/sniff.ts";
import type { PictureRequest } from "../jobs.ts";
import { maxClearPixels, maxDecodedPixels, maxPixels } from "../limits.ts";
import type { InputFormat, PrepareOptions } from "../types.ts";

/** Peak memory by pixel, measured at 50 megapixels. */
const bytesPerPixel = { webp: 25, png: 15, jpg: 11 } as const;

/** The memory for drawing a picture from nothing, measured: samples, letters and what libvips keeps. */
const drawingBytes = 40_000_000;

/** Estimates the memory that a job will need, in bytes. Where the picture's size is unknown, the largest allowed is assumed. */
export function estimateMemoryNeed(request: PictureRequest, inputs: readonly Buffer[]): number {
  const [input = Buffer.alloc(0), ...behind] = inputs;
  switch (request.job) {
    case "inspect":
      return request.isProven ? needToDraw(input) : input.length;
    case "prove":
      return sniffFormat(input) === "zip" ? needOfCutout(input, "jpg") : needToDraw(input);
    case "prepare":
      return needToPrepare(input, request);
    case "fit":
      return needToFit(input);
    case "square":
      return needOfCutout(input, "png");
    case "thumbnail":
      return drawingBytes + needOfCutout(input, "png") + Math.max(0, ...behind.map(needToDraw));
    case "preview":
      return drawingBytes + needToDraw(input);
    case "sheet":
      // One is read after the other.
      return drawingBytes + totalLength(inputs) + Math.max(0, ...inputs.map(needToDraw));
    case "letters":
    case "chart":
      return drawingBytes;
    case "compose": {
      const { format, maxBytes, backdrop } = request.options;
      const isJpg = format === "jpg" || (format === "auto" && backdrop !== undefined);
      // A PNG that comes out too large becomes a WebP.
      const isPng = format === "png" && maxBytes === undefined;
      const output = isJpg ? "jpg" : isPng ? "png" : "webp";
      return needOfCutout(input, output) + Math.max(0, ...behind.map(needToDraw));
    }
  }
}

function needOfCutout(input: Buffer, output: keyof typeof bytesPerPixel): number {
  return input.length * 2 + cutoutPixels(input) * bytesPerPixel[output];
}

function totalLength(inputs: readonly Buffer[]): number {
  return inputs.reduce((sum, { length }) => sum + length, 0);
}

/** The pixels of a cut-out; of a ZIP, those of alpha.png. The worker reports damage. */
function cutoutPixels(zip: Buffer): number {
  const found = sniffFormat(zip);
  if (found === "png" || found === "webp") return clampPixels(pixelsOf(zip));
  return clampPixels(peekAlphaPixels(zip) ?? 0);
}

function clampPixels(pixels: number): number {
  return pixels > 0 && pixels <= maxPixels ? pixels : maxPixels;
}

/** What a decoder holds for each pixel, measured; JPEG, PNG and TIFF are decoded row by row. */
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

/** What is held for each pixel that is written: by JPEG, and by WebP for transparency. */
const written = { jpeg: 4, webp: 22 } as const;

/** Nothing larger than this is written when a picture is fitted into a place. */
const maxPlacePixels = 8_000_000;

/** Only the start of a file is read, where sizes are, so that this stays cheap in the bot's own process. */
const headBytes = 256 * 1024;
const alphaBit = 4;

/** What making a picture ready for the service takes. */
function needToPrepare(input: Buffer, limits: Omit<PrepareOptions, "signal">): number {
  const { format, pixels, isTold, heldBytes, mayBeClear } = estimatePicture(input);
  const files = input.length * 2 + heldBytes;
  const base = files + pixels * decoded[format];
  const fits = isTold && input.length <= limits.maxBytes && pixels <= limits.maxPixels;
  if (fits && isSentFormat(format)) return base;
  const left = Math.min(pixels, limits.maxPixels);
  const writing = mayBeClear ? Math.min(left, maxClearPixels) * written.webp : left * written.jpeg;
  // When these are written, only their samples are left in memory from decoding.
  if (format === "avif" || format === "heic") {
    return files + pixels * Math.max(decoded[format], samples + writing / pixels);
  }
  return base + writing;
}

/** What fitting a picture into a place of a few megapixels takes. */
function needToFit(input: Buffer): number {
  const { format, pixels, heldBytes } = estimatePicture(input);
  const left = Math.min(pixels, maxPlacePixels);
  return input.length * 2 + heldBytes + pixels * decoded[format] + left * written.jpeg;
}

/** What showing a picture small takes. */
function needToDraw(input: Buffer): number {
  const { format, pixels, heldBytes } = estimatePicture(input);
  return input.length * 2 + heldBytes + pixels * decoded[format];
}

/** If unknown, as many as a cut-out may have. */
function pixelsOf(input: Buffer): number {
  return estimatePicture(input).pixels;
}

interface PictureEstimate {
  readonly format: InputFormat;
  readonly pixels: number;
  /** Whether the size is stated near the start of the file. */
  readonly isTold: boolean;
  readonly heldBytes: number;
  readonly mayBeClear: boolean;
}

function estimatePicture(input: Buffer): PictureEstimate {
  const head = input.subarray(0, headBytes);
  const found = sniffFormat(head);
  const format = found in decoded ? (found as InputFormat) : "jpeg";
  const anatomy = isSentFormat(format) ? readStructure(head, format) : undefined;
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
