import type sharp from "sharp";
import type { Sharp as Pipeline } from "sharp";
import { once } from "../once.ts";
import { pictureFormats } from "./files/formats.ts";
import { maxPixels } from "./limits.ts";
import type { PictureDimensions } from "./size.ts";

export type Sharp = typeof sharp;

/**
 * Options for every file that is decoded. Our own code has read its header, but libvips may read it differently. With a milder
 * `failOn`, a TIFF whose strips can't be decoded would become black, and a PNG with wrong checksums would be accepted.
 */
export const untrustedOptions = { limitInputPixels: maxPixels, failOn: "error" } as const;

/** Options to open a checked picture: what libvips finds may not be larger than what was checked. */
export function sharpOptionsFor({ width, height }: PictureDimensions) {
  return { ...untrustedOptions, limitInputPixels: width * height };
}

/** The largest that sharp takes. */
const maxExponent = 3;

/** Opens a checked picture whose colours matter: libvips ignores a PNG's gamma. */
export function openColored(
  sharp: Sharp,
  source: PictureDimensions & { readonly bytes: Buffer; readonly exponent?: number },
): Pipeline {
  const pipeline = sharp(source.bytes, sharpOptionsFor(source));
  const { exponent } = source;
  if (exponent === undefined) return pipeline;
  const within = (value: number) => Math.min(maxExponent, Math.max(1, value));
  // The first value darkens, the second lightens.
  return pipeline.gamma(within(exponent), within(1 / exponent));
}

/**
 * Opens libvips on first use: importing this room costs nothing, and the bot's own process never needs it.
 * Once only, because closing and reopening the decoders would disturb a picture that is being read.
 */
export const loadSharp = once(async (): Promise<Sharp> => {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  // The only decoders that are allowed: SVG, PDF, ImageMagick's and the rest stay blocked, whatever a file claims to be.
  sharp.unblock({ operation: Object.values(pictureFormats).map(({ loader }) => loader) });
  // Every picture is read only once, so a cache would only use memory.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
});
