import { readOneChannel } from "../cutout/planes.ts";
import type { Sharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";

/** How much of each pixel is covered, 0 to 255: one channel, rows from the top. */
export interface Mask extends PictureDimensions {
  readonly data: Buffer;
}

/** Grows the mask by this many pixels: blurs it until a little of it reaches that far, and makes that solid again. */
export async function growMask(sharp: Sharp, mask: Mask, by: number): Promise<Mask> {
  const blurred = await readOneChannel(
    openMask(sharp, mask).blur({ sigma: Math.max(0.3, by * 0.6), minAmplitude: 0.01 }),
  );
  const data = await readOneChannel(openMask(sharp, { ...mask, data: blurred }).linear(11, -64));
  return { ...mask, data };
}

export async function softenMask(sharp: Sharp, mask: Mask, sigma: number): Promise<Mask> {
  const data = await readOneChannel(openMask(sharp, mask).blur({ sigma: Math.max(0.3, sigma) }));
  return { ...mask, data };
}

function openMask(sharp: Sharp, { data, width, height }: Mask) {
  return sharp(data, { raw: { width, height, channels: 1 } });
}
