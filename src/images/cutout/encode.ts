import type { Sharp as Pipeline } from "sharp";
import { embedProfile } from "../files/embed-profile.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import { type Size, shrunkBy } from "../size.ts";
import type { OutputFormat } from "../types.ts";
import type { Cutout } from "./cutout.ts";
import { colorPipeline, oneChannel, openAlpha, samples } from "./planes.ts";

/** One way to write a picture. */
export interface Attempt {
  readonly format: OutputFormat;
  /** 1 to 100; PNG has none. */
  readonly quality: number;
  /** 1 is full size. */
  readonly scale: number;
}

export interface Encoded extends Size {
  readonly bytes: Buffer;
}

/** Pixels that can be written as often as it takes to fit. */
export interface Source extends Size {
  write(attempt: Attempt): Promise<Encoded>;
}

// The two settings that decide: alphaQuality above 91 doubles the cost and 90 errs by at most 1 of 255; effort 0
// and 1 fail on large detailed pictures, 4 (sharp's default) takes three times as long.
const webp = { effort: 2, alphaQuality: 90 } as const;
// `effort` must never be set here: it turns the picture into 256 colours.
const png = { compressionLevel: 2, adaptiveFiltering: true } as const;
const jpg = { chromaSubsampling: "4:2:0", optimiseCoding: false } as const;

/** A cut-out as it came, on nothing: its entries go through the encoder without a stop between. */
export function cutoutSource(cutout: Cutout): Source {
  const { width, height } = cutout;
  return {
    width,
    height,
    async write(attempt) {
      const sharp = await loadSharp();
      if (attempt.scale < 1) return encodeSmaller(sharp, cutout, attempt);
      const pipeline = (await masked(sharp, cutout)).keepIccProfile();
      return { bytes: await encode(pipeline, attempt), width, height };
    },
  };
}

/** Samples in sRGB; the profile is a name for that and put into the file as it is. */
export function samplesSource(
  { width, height, rgb, alpha }: Samples,
  profile: Buffer | undefined,
): Source {
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
      const whole = alpha && isSmaller ? await stopped(sharp, joined, { width, height }) : joined;
      const pipeline = isSmaller ? whole.resize({ ...size, fit: "fill" }) : whole;
      const bytes = await encode(pipeline, attempt);
      return { bytes: profile ? embedProfile(bytes, attempt.format, profile) : bytes, ...size };
    },
  };
}

interface Samples extends Size {
  readonly rgb: Buffer;
  /** Wholly opaque when absent. */
  readonly alpha?: Buffer;
}

function encode(pipeline: Pipeline, { format, quality }: Attempt): Promise<Buffer> {
  switch (format) {
    case "png":
      return pipeline.png(png).toBuffer();
    case "webp":
      return pipeline.webp({ quality, ...webp }).toBuffer();
    case "jpg":
      return pipeline.jpeg({ quality, ...jpg }).toBuffer();
  }
}

/** Colours and alpha have to shrink together, with straight alpha weighed in, so both are joined first. */
async function encodeSmaller(sharp: Sharp, cutout: Cutout, attempt: Attempt): Promise<Encoded> {
  const size = shrunkBy(cutout, attempt.scale);
  const whole = await stopped(sharp, await masked(sharp, cutout), cutout);
  const pipeline = whole.resize({ ...size, fit: "fill" });
  if (cutout.profile) pipeline.withIccProfile("srgb");
  return { bytes: await encode(pipeline, attempt), ...size };
}

/** In one pipeline the resize would come first, whatever the order of the calls. */
async function stopped(sharp: Sharp, pipeline: Pipeline, { width, height }: Size) {
  return sharp(await samples(pipeline, 4), { raw: { width, height, channels: 4 } });
}

/** Straight RGBA. The removed background is still in the service's colours: it is cleared wherever alpha is 0. */
async function masked(sharp: Sharp, cutout: Cutout): Promise<Pipeline> {
  const raw = { width: cutout.width, height: cutout.height, channels: 1 } as const;
  // Decoded once for both uses.
  const alpha = await openAlpha(sharp, cutout);
  const mask = await oneChannel(sharp(alpha, { raw }).threshold(1));
  return colorPipeline(sharp, cutout).joinChannel(alpha, { raw }).boolean(mask, "and", { raw });
}
