import type { Composed, ComposeOptions } from "./types.ts";

/** Packs files into one ZIP: names made safe and unique, dates fixed. jszip is loaded by the first call. */
export { type NamedFile, zipFiles } from "./archive/zip-files.ts";
export { type CreateImagesOptions, createImages, type ImagesLog } from "./images.ts";
export {
  type RawPixels,
  type ReadPixelsOptions,
  type ResizePixelsOptions,
  readPixels,
  resizePixels,
  type WritePixelsOptions,
  writePixels,
} from "./pixels.ts";
export type {
  Backdrop,
  ChartOptions,
  Composed,
  ComposeOptions,
  FitFormat,
  FitOptions,
  FitShape,
  Fitted,
  Images,
  InputFormat,
  JobOptions,
  OutputFormat,
  Picture,
  PictureBox,
  PictureTurn,
  Prepared,
  SentFormat,
  Shadow,
  SheetOptions,
  Square,
  SquareOptions,
  Thumbnail,
  ThumbnailOptions,
} from "./types.ts";

/**
 * Composes the service's ZIP (`color.jpg` and `alpha.png`) in the calling process and gives the file's bytes.
 * Throws InputError `png_too_large` or `picture_too_large`, and ServiceError `cutout_damaged`.
 */
export async function composeCutout(
  zip: Uint8Array,
  options: Omit<ComposeOptions, "signal">,
): Promise<Buffer> {
  const { compose } = await import("./cutout/compose.ts");
  const composed: Composed = await compose(zip, options);
  return composed.bytes;
}
