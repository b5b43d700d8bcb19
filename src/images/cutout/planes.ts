import type { Sharp as Pipeline, SharpOptions } from "sharp";
import { damaged } from "../refusal.ts";
import { type Sharp, untrusted } from "../sharp.ts";
import type { Cutout, Plane } from "./cutout.ts";

/** The colours of the cut-out's region; without a standard profile they are turned into sRGB. */
export function colorPipeline(sharp: Sharp, { color, region, isStandard }: Cutout): Pipeline {
  // An sRGB profile changes no pixel and makes decoding 2.5 times dearer.
  const pipeline = sharp(color.data, { ...rawOf(color), ...untrusted, ignoreIcc: isStandard });
  return region ? pipeline.extract(region) : pipeline;
}

/** RGB samples in sRGB; those of the cut-out itself where it has them already. */
export async function openColors(sharp: Sharp, cutout: Cutout): Promise<Buffer> {
  const { color, region, isStandard } = cutout;
  if (color.raw?.channels === 3 && !region && isStandard) return color.data;
  return samples(colorPipeline(sharp, cutout), 3);
}

/** One byte a pixel, exactly as in the file; likewise the cut-out's own where it can be. */
export async function openAlpha(sharp: Sharp, { alpha }: Cutout): Promise<Buffer> {
  if (alpha.raw) return alpha.data;
  return oneChannel(sharp(alpha.data, { ...untrusted, ignoreIcc: true }));
}

/** Naming the colour space keeps one channel one channel, values untouched. */
export function oneChannel(pipeline: Pipeline): Promise<Buffer> {
  return pipeline.toColourspace("b-w").raw().toBuffer();
}

export async function samples(pipeline: Pipeline, channels: 3 | 4): Promise<Buffer> {
  const { data, info } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  if (info.channels === channels) return data;
  throw damaged(`its pictures make ${info.channels} channels where ${channels} belong`);
}

export function rawOf({ raw }: Plane): Pick<SharpOptions, "raw"> {
  return raw ? { raw } : {};
}
