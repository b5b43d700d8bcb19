import type { ComposeOptions } from "./types.ts";

/** Packs files into one ZIP: names made safe and unique, dates fixed. jszip is loaded by the first call. */
export { type NamedFile, zipFiles } from "./archive/zip-files.ts";
/** Takes `color.jpg` and `alpha.png` out of remove.bg's ZIP. @throws ServiceError `cutout_damaged` */
export const unzipCutoutLayers = async (zip: Buffer) =>
  (await import("./cutout/zip.ts")).unzipCutout(zip);
/** Draws elements of an SVG in the calling process. */
export { drawSvg } from "./draw/svg.ts";
/** Formats of pictures. */
export type { InputFormat, SentFormat } from "./files/formats.ts";
/** Reads a picture's format and size from its first bytes: quick, in the calling process. */
export { type PictureHead, readPictureHead } from "./files/sniff.ts";
export { type CreateImagesOptions, createImages } from "./images.ts";
/** The error for a damaged result of remove.bg, and whether a picture's error means that it is damaged. */
export { createDamagedError, isDamagedPicture } from "./picture-errors.ts";
/** Decodes, resizes and encodes pixels in the calling process. */
export { type RawPixels, readPixels, resizePixels, writePixels } from "./pixels.ts";
/** What pictures can be made into, and with which options. */
export type * from "./types.ts";

/**
 * Composes remove.bg's ZIP (`color.jpg` and `alpha.png`) in the calling process, for programs that run no workers.
 * @throws InputError `png_too_large`, `picture_too_large`; ServiceError `cutout_damaged`.
 */
export async function composeCutout(
  zip: Uint8Array,
  options: Omit<ComposeOptions, "signal">,
): Promise<Buffer> {
  const { compose } = await import("./cutout/compose.ts");
  return (await compose(zip, options)).bytes;
}
