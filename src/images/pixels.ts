import { checkPicture } from "./files/check-picture.ts";
import { isSentFormat, pictureFormats } from "./files/formats.ts";
import { uprightSize } from "./files/picture-structure.ts";
import { sniffFormat } from "./files/sniff.ts";
import { pictureErrors, toPictureError } from "./picture-errors.ts";
import { loadSharp, openColored } from "./sharp.ts";
import { asBuffer } from "./size.ts";

/** Interleaved 8-bit samples, rows from the top, no padding. */
export interface RawPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 grey, 3 RGB, 4 RGB with straight alpha. */
  readonly channels: 1 | 3 | 4;
}

interface ReadPixelsOptions {
  /** The picture is shrunk, with its proportions, to at most this many pixels. */
  readonly maxPixels?: number;
}

interface ResizePixelsOptions {
  readonly width: number;
  readonly height: number;
  readonly kernel: "mitchell" | "cubic";
}

interface WritePixelsOptions {
  /** Alpha is dropped by `jpg`; flatten before. */
  readonly format: "png" | "webp" | "jpg";
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
 * Throws the InputErrors of `Images.inspect`, and `picture_unreadable` or `picture_truncated` for damaged pixels.
 */
export async function readPixels(
  bytes: Uint8Array,
  options: ReadPixelsOptions = {},
): Promise<RawPixels> {
  const input = asBuffer(bytes);
  const found = sniffFormat(input);
  if (input.length > 0 && !isSentFormat(found)) throw pictureErrors.type(found);
  const anatomy = await checkPicture(input);
  const { width, height } = uprightSize(anatomy);
  const scale = Math.sqrt((options.maxPixels ?? Infinity) / (width * height));
  const sharp = await loadSharp();
  const pipeline = openColored(sharp, anatomy)
    .autoOrient()
    .flatten({ background: "white" })
    .toColourspace("srgb");
  if (scale < 1) {
    const within = (side: number) => Math.max(1, Math.floor(side * scale));
    pipeline.resize(within(width), within(height), { fit: "fill" });
  }
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
  { width, height, kernel }: ResizePixelsOptions,
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
