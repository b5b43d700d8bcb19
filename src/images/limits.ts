import type { InputFormat } from "./types.ts";

/** Input and ZIP result limit of the background-removal service: https://www.remove.bg/api */
export const maxPixels = 50_000_000;

/**
 * Pixels that are decoded at all, by format: what is brought under the limits above in about 2 s of one core and less
 * than a gibibyte. JPEGs are decoded row by row and shrink meanwhile, an AVIF takes 87 ns and 17 bytes a pixel.
 */
export const maxDecodedPixels = {
  jpeg: 268_435_456,
  png: 75_000_000,
  webp: 60_000_000,
  gif: 75_000_000,
  avif: 20_000_000,
  heic: 50_000_000,
  tiff: 75_000_000,
} as const satisfies Record<InputFormat, number>;

/** A JPEG in passes: pixels of all passes together, and what the decoder may hold until the last. */
export const maxPassedPixels = 1_000_000_000;
export const maxHeldBytes = 640 * 1024 * 1024;

/** A WebP takes 22 bytes a pixel while it is written: this keeps the worker below a gibibyte. */
export const maxClearPixels = 36_000_000;

/** Parts of one file that are looked at: a hundred megabytes of the smallest would take seconds. */
export const maxParts = 65_536;

/** The largest profiles of presses have some 3 MB; more is no profile but ballast. */
export const maxProfileBytes = 4 * 1024 * 1024;

/** PNG result limit of the same service, kept for the PNGs composed here. */
export const maxPngPixels = 10_000_000;

/** Far above any picture the service or Discord takes; more is not even looked at. */
export const maxInputBytes = 100 * 1024 * 1024;

/** A number of pixels in the words people use: `12.3 megapixels`. */
export function megapixels(pixels: number): string {
  return `${Number((pixels / 1e6).toFixed(2)) || "under 0.01"} megapixels`;
}

/** A number of bytes in the words people use: `11.9 MB`. */
export function megabytes(bytes: number): string {
  return `${Number((bytes / 1e6).toFixed(1)) || "under 0.1"} MB`;
}
