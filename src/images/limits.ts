/** Input and ZIP result limit of remove.bg: https://www.remove.bg/api */
export const maxPixels = 50_000_000;

/** Decoders hold several rows at once, and one row of 75,000,000 pixels took 1.5 GB. No JPEG or GIF can be longer either. */
export const maxSide = 65_535;

/**
 * Bytes of a PNG's or TIFF's samples as they are stored: of the whole picture, and of one strip or tile, which is read
 * in one go.
 */
export const maxRawBytes = 320 * 1024 * 1024;
export const maxPartBytes = 192 * 1024 * 1024;

/** A lossless WebP takes several times as long as other pictures of the same size. */
export const maxLosslessWebpPixels = 24_000_000;

/** For a JPEG in several passes: pixels of all passes together, and what the decoder may hold until the last. */
export const maxPassedPixels = 1_000_000_000;
export const maxHeldBytes = 640 * 1024 * 1024;

/**
 * A picture with transparency is sent as a WebP, which takes 22 bytes and 40 ns a pixel to write. remove.bg returns
 * no more pixels unless it is asked for all of them.
 */
export const maxClearPixels = 25_000_000;

/** Most parts of one file that are walked: a hundred megabytes of the smallest would take seconds. */
export const maxParts = 65_536;

/** The largest profiles for printing presses have some 3 MB; anything larger is of no use. */
export const maxProfileBytes = 4 * 1024 * 1024;

/** remove.bg's limit for a PNG, kept for the PNGs composed here. */
export const maxComposedPngPixels = 10_000_000;

/** Far larger than any picture that remove.bg or Discord accepts. A larger file is not even read. */
export const maxInputBytes = 100 * 1024 * 1024;

/** A number of pixels in the words people use: `12.3 megapixels`. */
export function formatMegapixels(pixels: number): string {
  return `${Number((pixels / 1e6).toFixed(2)) || "under 0.01"} megapixels`;
}

/** A number of bytes in the words people use: `11.9 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${Number((bytes / 1e6).toFixed(1)) || "under 0.1"} MB`;
}
