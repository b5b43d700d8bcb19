import type { Sharp as Pipeline } from "sharp";
import { createDamagedError } from "../picture-errors.ts";
import { type Sharp, untrustedOptions } from "../sharp.ts";
import type { CutoutPlanes } from "./cutout.ts";

/** The colours of the cut-out's region; without a standard profile they are turned into sRGB. */
export function openColorPipeline(
  sharp: Sharp,
  { color, region, isStandard }: CutoutPlanes,
): Pipeline {
  // An sRGB profile changes no pixel and makes decoding 2.5 times slower.
  const pipeline = sharp(color.data, {
    ...(color.raw && { raw: color.raw }),
    ...untrustedOptions,
    ignoreIcc: isStandard,
  });
  return region ? pipeline.extract(region) : pipeline;
}

/** RGB samples in sRGB; those of the cut-out itself where it has them already. */
export async function openColors(sharp: Sharp, cutout: CutoutPlanes): Promise<Buffer> {
  const { color, region, isStandard } = cutout;
  if (color.raw?.channels === 3 && !region && isStandard) return color.data;
  return renderSamples(openColorPipeline(sharp, cutout), 3);
}

/** One byte a pixel, exactly as in the file; the cut-out's own buffer where it is decoded already. */
export async function openAlpha(sharp: Sharp, { alpha }: CutoutPlanes): Promise<Buffer> {
  if (alpha.raw) return alpha.data;
  return readOneChannel(sharp(alpha.data, { ...untrustedOptions, ignoreIcc: true }));
}

/** Naming the colour space keeps one channel one channel, values untouched. */
export function readOneChannel(pipeline: Pipeline): Promise<Buffer> {
  return pipeline.toColourspace("b-w").raw().toBuffer();
}

export async function renderSamples(pipeline: Pipeline, channels: 3 | 4): Promise<Buffer> {
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  if (info.channels === channels) return data;
  throw createDamagedError(`its pictures make ${info.channels} channels where ${channels} belong`);
}
