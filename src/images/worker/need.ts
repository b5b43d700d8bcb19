import { peekPixels } from "../cutout/zip.ts";
import { sniff } from "../files/sniff.ts";
import type { Request } from "../jobs.ts";
import { maxPixels } from "../limits.ts";
import { needToDraw, needToFit, needToPrepare, pixelsOf } from "./picture-need.ts";

/** Peak memory by pixel, measured at 50 megapixels. */
const bytesPerPixel = { webp: 25, png: 15, jpg: 11 } as const;

/** A drawing of its own, measured: samples, letters and what libvips keeps. */
const drawingBytes = 40_000_000;

/** Estimates what a job will need; when the size can't be told, as for the largest that is allowed. */
export function estimateNeed(request: Request, inputs: readonly Buffer[]): number {
  const [input = Buffer.alloc(0), ...behind] = inputs;
  switch (request.job) {
    case "inspect":
      return request.isProven ? needToDraw(input) : input.length;
    case "prepare":
      return needToPrepare(input, request);
    case "fit":
      return needToFit(input);
    case "square":
      return needOfCutout(input, "png");
    case "thumbnail":
      return drawingBytes + needOfCutout(input, "png") + Math.max(0, ...behind.map(needToDraw));
    case "sheet":
      // One is read after the other.
      return drawingBytes + totalLength(inputs) + Math.max(0, ...inputs.map(needToDraw));
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

/** Of a ZIP it looks for the size of alpha.png; damage is the worker's to find and to name. */
function cutoutPixels(zip: Buffer): number {
  const found = sniff(zip);
  if (found === "png" || found === "webp") return bounded(pixelsOf(zip));
  return bounded(peekPixels(zip) ?? 0);
}

function bounded(pixels: number): number {
  return pixels > 0 && pixels <= maxPixels ? pixels : maxPixels;
}
