import { peekAlphaPixels } from "../cutout/zip.ts";
import { formatFacts, type InputFormat, isInputFormat, isSentFormat } from "../files/formats.ts";
import { sniffFormat } from "../files/sniff.ts";
import type { PictureRequest } from "../jobs.ts";
import { maxClearPixels, maxPixels } from "../limits.ts";
import type { PrepareOptions } from "../types.ts";

/** Peak memory by pixel, measured at 50 megapixels. */
const bytesPerPixel = { webp: 25, png: 15, jpg: 11 } as const;

/** The memory for drawing a picture from nothing, measured: samples, letters and what libvips keeps. */
const drawingBytes = 40_000_000;

/** Estimates the memory that a job will need, in bytes. Where the picture's size is unknown, the largest allowed is assumed. */
export function estimateMemoryNeed(request: PictureRequest, inputs: readonly Buffer[]): number {
  const [input = Buffer.alloc(0), ...behind] = inputs;
  switch (request.job) {
    case "inspect":
      return request.options.isProven ? needToDraw(input) : input.length;
    case "prove":
      return sniffFormat(input) === "zip" ? needForCutout(input, "jpg") : needToDraw(input);
    case "prepare":
      return needToPrepare(input, request.options);
    case "fit":
      return (
        needToDraw(input) + Math.min(estimatePicture(input).pixels, maxPlacePixels) * written.jpeg
      );
    case "square":
      return needForCutout(input, "png");
    case "thumbnail":
      return drawingBytes + needForCutout(input, "png") + Math.max(0, ...behind.map(needToDraw));
    case "preview":
      return drawingBytes + needToDraw(input);
    case "sheet":
      // One is read after the other.
      return inputs.reduce(
        (sum, { length }) => sum + length,
        drawingBytes + Math.max(0, ...inputs.map(needToDraw)),
      );
    case "letters":
    case "chart":
      return drawingBytes;
    case "compose": {
      const { format, maxBytes, backdrop } = request.options;
      const isJpg = format === "jpg" || (format === "auto" && backdrop !== undefined);
      // A PNG that comes out too large becomes a WebP.
      const isPng = format === "png" && maxBytes === undefined;
      const output = isJpg ? "jpg" : isPng ? "png" : "webp";
      return needForCutout(input, output) + Math.max(0, ...behind.map(needToDraw));
    }
  }
}

/** By the pixels of the cut-out; of a ZIP, those of alpha.png. The worker reports damage. */
function needForCutout(input: Buffer, output: keyof typeof bytesPerPixel): number {
  const isPicture = ["png", "webp"].includes(sniffFormat(input));
  const stated = isPicture ? estimatePicture(input).pixels : (peekAlphaPixels(input) ?? 0);
  const pixels = stated > 0 && stated <= maxPixels ? stated : maxPixels;
  return input.length * 2 + pixels * bytesPerPixel[output];
}

/** Bytes of a pixel that was decoded. */
const samples = 4;

/** What is held for each pixel that is written: by JPEG, and by WebP for transparency. */
const written = { jpeg: 4, webp: 22 } as const;

/** Nothing larger than this is written when a picture is fitted into a place. */
const maxPlacePixels = 8_000_000;

/** Only the start of a file is read, where sizes are, so that this stays cheap in the bot's own process. */
const headBytes = 256 * 1024;
const sizeBytes = 30;

/** What making a picture ready for remove.bg takes. */
function needToPrepare(input: Buffer, limits: Omit<PrepareOptions, "signal">): number {
  const { format, pixels, isTold, heldBytes, mayBeClear } = estimatePicture(input);
  const files = input.length * 2 + heldBytes;
  const base = files + pixels * formatFacts(format).decodedBytes;
  const fits = isTold && input.length <= limits.maxBytes && pixels <= limits.maxPixels;
  if (fits && isSentFormat(format)) return base;
  const left = Math.min(pixels, limits.maxPixels);
  const writing = mayBeClear ? Math.min(left, maxClearPixels) * written.webp : left * written.jpeg;
  // When these are written, only their samples are left in memory from decoding.
  if (formatFacts(format).isSlow) {
    return files + pixels * Math.max(formatFacts(format).decodedBytes, samples + writing / pixels);
  }
  return base + writing;
}

/** What it takes to decode a picture and show it small. */
function needToDraw(input: Buffer): number {
  const { format, pixels, heldBytes } = estimatePicture(input);
  return input.length * 2 + heldBytes + pixels * formatFacts(format).decodedBytes;
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
  const format = isInputFormat(found) ? found : "jpeg";
  const { writable, readSize, maxPixels: most, mayBeClear } = formatFacts(format);
  const anatomy = writable?.read(head);
  const size = anatomy ?? (head.length < sizeBytes ? undefined : readSize?.(head));
  const pixels = (size?.width ?? 0) * (size?.height ?? 0);
  const isTold = pixels > 0 && pixels <= most;
  return {
    format,
    pixels: isTold ? pixels : Math.min(most, maxPixels),
    isTold,
    heldBytes: anatomy?.heldBytes ?? 0,
    mayBeClear: mayBeClear?.(head) ?? true,
  };
}
