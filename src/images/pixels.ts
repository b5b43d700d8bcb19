import { checkPicture } from "./files/check-picture.ts";
import { isSentFormat, pictureFormats } from "./files/formats.ts";
import { uprightSize } from "./files/picture-structure.ts";
import { sniffFormat } from "./files/sniff.ts";
import { pictureErrors, toPictureError } from "./picture-errors.ts";
import { loadSharp, openColored } from "./sharp.ts";
import { asBuffer, type PictureDimensions, shrunkBy } from "./size.ts";
import type { OutputFormat } from "./types.ts";

/** Interleaved 8-bit samples, rows from the top, no padding. */
export interface RawPixels extends PictureDimensions {
  readonly data: Uint8Array;
  /** 1 grey, 3 RGB, 4 RGB with straight alpha. */
  readonly channels: 1 | 3 | 4;
}

interface WritePixelsOptions {
  /** Alpha is dropped by `jpg`; flatten before. */
  readonly format: OutputFormat;
  /**
   * For a picture with three channels: the opacity of each pixel. It is joined while writing, so that nobody needs a
   * copy of both.
   */
  readonly alpha?: Uint8Array;
  /** For `jpg` (90 when absent) and `webp` (80 when absent), 1 to 100. */
  readonly quality?: number;
}

/**
 * Decodes a JPEG, PNG or WebP to sRGB: oriented, flattened onto white, three channels.
 * It is shrunk, with its proportions, to at most `maxPixels`.
 * Throws the InputErrors of `Images.inspect`, and `picture_unreadable` or `picture_truncated` for damaged pixels.
 */
export async function readPixels(
  bytes: Uint8Array,
  { maxPixels = Infinity }: { readonly maxPixels?: number } = {},
): Promise<RawPixels> {
  const input = asBuffer(bytes);
  const found = sniffFormat(input);
  if (input.length > 0 && !isSentFormat(found)) throw pictureErrors.type(found);
  const anatomy = await checkPicture(input);
  const whole = uprightSize(anatomy);
  const scale = Math.sqrt(maxPixels / (whole.width * whole.height));
  const sharp = await loadSharp();
  const pipeline = openColored(sharp, anatomy)
    .autoOrient()
    .flatten({ background: "white" })
    .toColourspace("srgb");
  if (scale < 1) pipeline.resize({ ...shrunkBy(whole, scale), fit: "fill" });
  try {
    const { data, info } = await pipeline.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels: 3 };
  } catch (error) {
    throw toPictureError(error, anatomy.format, input.length);
  }
}

/** Scales raw pixels to exactly `width` x `height`, keeping the channel count. */
export async function resizePixels(
  raw: RawPixels,
  { width, height, kernel }: PictureDimensions & { readonly kernel: "mitchell" | "cubic" },
): Promise<RawPixels> {
  const sharp = await loadSharp();
  const pipeline = sharp(raw.data, { raw }).resize(width, height, { fit: "fill", kernel });
  // Without this, libvips turns one grey channel into three.
  if (raw.channels === 1) pipeline.toColourspace("b-w");
  return { data: await pipeline.raw().toBuffer(), width, height, channels: raw.channels };
}

/** Encodes raw pixels: JPEG 4:2:0 with an sRGB profile, PNG (one channel stays 8-bit grey), WebP. */
export async function writePixels(raw: RawPixels, options: WritePixelsOptions): Promise<Buffer> {
  const sharp = await loadSharp();
  const pipeline = sharp(raw.data, { raw });
  if (options.alpha !== undefined) {
    const { width, height } = raw;
    const one = { raw: { width, height, channels: 1 } } as const;
    pipeline.joinChannel(asBuffer(options.alpha), one);
  }
  if (options.format === "jpg") {
    return pipeline
      .jpeg({ quality: options.quality ?? 90, chromaSubsampling: "4:2:0" })
      .withIccProfile("srgb")
      .toBuffer();
  }
  if (options.format === "webp") {
    const { encode } = pictureFormats.webp.writable;
    return encode(pipeline, { quality: options.quality ?? 80 }).toBuffer();
  }
  const grey = raw.channels === 1 ? pipeline.toColourspace("b-w") : pipeline;
  return grey.png({ compressionLevel: 2, adaptiveFiltering: raw.channels > 1 }).toBuffer();
}
