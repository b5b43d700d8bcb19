import type { InputFormat } from "./types.ts";

/** Input and ZIP result limit of the background-removal service: https://www.remove.bg/api */
export const maxPixels = 50_000_000;

/**
 * Pixels that are decoded at all, by format: what is brought under the limits above in about 2 s of one core and less
 * than a gibibyte. JPEGs are decoded row by row and shrink meanwhile.
 */
export const maxDecodedPixels = {
  jpeg: 268_435_456,
  png: 75_000_000,
  webp: 60_000_000,
  gif: 75_000_000,
  avif: 26_000_000,
  heic: 50_000_000,
  tiff: 75_000_000,
} as const satisfies Record<InputFormat, number>;

/**
 * Decoders hold several rows at once, and one row of 75,000,000 pixels took 1.5 GB. No JPEG or GIF is longer either.
 */
export const maxSide = 65_535;

/** Samples of a PNG or TIFF before anything is made of them, and of one strip or tile, which is read in one go. */
export const maxRawBytes = 320 * 1024 * 1024;
export const maxPartBytes = 192 * 1024 * 1024;

/**
 * What decoding an AVIF takes, measured: a flat one costs by its pixels, a detailed one by its bytes. Of 24 megapixels,
 * as phones have them, up to 4.5 MB are taken.
 */
export const avifCost = { nsPerPixel: 30, nsPerByte: 200, maxNs: 1_650_000_000 } as const;

/** A lossless WebP takes several times as long as others of as many pixels. */
export const maxLosslessWebpPixels = 24_000_000;

/** A JPEG in passes: pixels of all passes together, and what the decoder may hold until the last. */
export const maxPassedPixels = 1_000_000_000;
export const maxHeldBytes = 640 * 1024 * 1024;

/**
 * A picture with transparency is sent as a WebP, which takes 22 bytes and 40 ns a pixel to write. The service answers no
 * more unless it is asked for all of them.
 */
export const maxClearPixels = 25_000_000;

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
