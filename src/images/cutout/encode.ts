import type { Sharp as Pipeline } from "sharp";
import { pictureFormats } from "../files/formats.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import { type PictureDimensions, shrunkBy } from "../size.ts";
import type { OutputFormat } from "../types.ts";
import type { CutoutPlanes } from "./cutout.ts";
import { openAlpha, openColorPipeline, readOneChannel, renderSamples } from "./planes.ts";

/** One way to write a picture. */
export interface EncodeAttempt {
  readonly format: OutputFormat;
  /** 1 to 100; PNG has none. */
  readonly quality: number;
  /** 1 is full size. */
  readonly scale: number;
}

export interface EncodedPicture extends PictureDimensions {
  readonly bytes: Buffer;
}

/** Pixels that can be encoded several times until the file is small enough. */
export interface PictureWriter extends PictureDimensions {
  write(attempt: EncodeAttempt): Promise<EncodedPicture>;
}

/** A cut-out as it came, without a backdrop: decoding and encoding are one pipeline. */
export function createCutoutWriter(cutout: CutoutPlanes): PictureWriter {
  const { width, height } = cutout;
  return {
    width,
    height,
    async write(attempt) {
      const sharp = await loadSharp();
      const masked = await openMasked(sharp, cutout);
      if (attempt.scale >= 1) {
        return { bytes: await encode(masked.keepIccProfile(), attempt), width, height };
      }
      // Colours and alpha have to shrink together, weighted by the straight alpha, so both are joined first.
      const size = shrunkBy(cutout, attempt.scale);
      const pipeline = (await renderFirst(sharp, masked, cutout)).resize({ ...size, fit: "fill" });
      if (cutout.profile) pipeline.withIccProfile("srgb");
      return { bytes: await encode(pipeline, attempt), ...size };
    },
  };
}

/** For samples in sRGB. The profile only names that space, and is copied into the file unchanged. */
export function createSamplesWriter(
  { width, height, rgb, alpha }: Samples,
  profile: Buffer | undefined,
): PictureWriter {
  const raw = (channels: 1 | 3) => ({ raw: { width, height, channels } });
  return {
    width,
    height,
    async write(attempt) {
      const sharp = await loadSharp();
      const size = shrunkBy({ width, height }, attempt.scale);
      const colors = sharp(rgb, raw(3));
      const joined = alpha ? colors.joinChannel(alpha, raw(1)) : colors;
      const isSmaller = attempt.scale < 1;
      const whole =
        alpha && isSmaller ? await renderFirst(sharp, joined, { width, height }) : joined;
      const pipeline = isSmaller ? whole.resize({ ...size, fit: "fill" }) : whole;
      const bytes = await encode(pipeline, attempt);
      return {
        bytes: profile ? outputFormat(attempt.format).embedProfile(bytes, profile) : bytes,
        ...size,
      };
    },
  };
}

interface Samples extends PictureDimensions {
  readonly rgb: Buffer;
  /** Wholly opaque when absent. */
  readonly alpha?: Buffer;
}

function encode(pipeline: Pipeline, { format, quality }: EncodeAttempt): Promise<Buffer> {
  return outputFormat(format).encode(pipeline, { quality }).toBuffer();
}

function outputFormat(format: OutputFormat) {
  return pictureFormats[format === "jpg" ? "jpeg" : format].writable;
}

/** Ends a pipeline and begins another: in one, the resize would come first, whatever the order of the calls. */
async function renderFirst(sharp: Sharp, pipeline: Pipeline, { width, height }: PictureDimensions) {
  return sharp(await renderSamples(pipeline, 4), { raw: { width, height, channels: 4 } });
}

/** Straight RGBA. The removed background is still in remove.bg's colours: it is cleared wherever alpha is 0. */
async function openMasked(sharp: Sharp, cutout: CutoutPlanes): Promise<Pipeline> {
  const raw = { width: cutout.width, height: cutout.height, channels: 1 } as const;
  // Decoded once for both uses.
  const alpha = await openAlpha(sharp, cutout);
  const mask = await readOneChannel(sharp(alpha, { raw }).threshold(1));
  return openColorPipeline(sharp, cutout).joinChannel(alpha, { raw }).boolean(mask, "and", { raw });
}
