import { loadSharp } from "../sharp.ts";
import { type PictureDimensions, scaledBy } from "../size.ts";
import type { PictureBox, SubjectShadow } from "../types.ts";
import { readOneChannel } from "./planes.ts";

const usual = { opacity: 0.5, blur: 0.03, offset: 0.03 } as const;

/** A soft edge may be drawn small and enlarged: with this many pixels of softness nobody sees it. */
const softPixels = 3;
const leastSide = 256;

/** Beyond this many sigmas there is nothing left to see. */
const reach = 2.5;

/**
 * How dark the shadow is at each pixel, 0 to 255, in the size of `alpha`; `subject` is the box round the subject there.
 * A subject that is cut off by the picture's edge goes on behind it, and so does its shadow.
 */
export async function drawShadow(
  alpha: Buffer,
  size: PictureDimensions,
  { subject, shadow }: { readonly subject: PictureBox; readonly shadow: SubjectShadow },
): Promise<Buffer> {
  const { width, height } = size;
  const { opacity, sigma, fall } = shadowPixels(shadow, subject);
  const long = Math.max(width, height);
  const scale = Math.min(1, Math.max(leastSide / long, softPixels / sigma));
  const small = scaledBy(size, scale);
  const sharp = await loadSharp();
  const raw = (of: PictureDimensions) => ({
    raw: { width: of.width, height: of.height, channels: 1 } as const,
  });
  const soft = sharp(alpha, raw(size)).linear(opacity, 0);
  if (scale < 1) soft.resize({ ...small, fit: "fill" });
  if (sigma * scale >= 0.3) soft.blur({ sigma: sigma * scale, minAmplitude: 0.02 });
  const drawn = await readOneChannel(soft);
  const shade =
    scale === 1
      ? drawn
      : await readOneChannel(
          sharp(drawn, raw(small)).resize({ width, height, fit: "fill", kernel: "linear" }),
        );
  // Moved down in place. The topmost row stands for what is above it.
  const rows = Math.min(fall, height - 1);
  shade.copyWithin(rows * width, 0);
  const first = shade.subarray(0, width);
  for (let y = 1; y < rows; y++) shade.set(first, y * width);
  return shade;
}

/** How far the shadow reaches beyond the subject, in pixels. */
export function measureShadowReach(shadow: SubjectShadow, subject: PictureBox) {
  const { sigma, fall } = shadowPixels(shadow, subject);
  const round = Math.ceil(sigma * reach);
  return { left: round, right: round, top: Math.max(0, round - fall), bottom: round + fall };
}

/** The shadow in pixels; `sigma` is the standard deviation of its edge. */
function shadowPixels(shadow: SubjectShadow, { height }: PictureDimensions) {
  const { opacity, blur, offset } = { ...usual, ...shadow };
  return {
    opacity: clampShare(opacity),
    sigma: clampShare(blur) * height,
    fall: Math.round(clampShare(offset) * height),
  };
}

function clampShare(share: number): number {
  return Math.min(1, Math.max(0, share));
}
