import { loadSharp } from "../sharp.ts";
import { type Size, scaledBy } from "../size.ts";
import type { Shadow } from "../types.ts";
import { oneChannel } from "./planes.ts";
import type { Box } from "./subject.ts";

const usual = { opacity: 0.5, blur: 0.03, offset: 0.03 } as const;

/** A soft edge is as good when drawn small: at this many pixels of softness nothing shows. */
const softPixels = 3;
const leastSide = 256;

/** Beyond this many sigmas there is nothing left to see. */
const reach = 2.5;

/** A shadow in pixels. */
interface Cast {
  readonly opacity: number;
  /** Standard deviation of its edge. */
  readonly sigma: number;
  readonly fall: number;
}

/**
 * How dark the shadow is at each pixel, 0 to 255, in the size of `alpha`; `subject` is the box round the subject there.
 * A subject that is cut off by the picture's edge goes on behind it, and so does its shadow.
 */
export async function drawShadow(
  alpha: Buffer,
  size: Size,
  { subject, shadow }: { readonly subject: Box; readonly shadow: Shadow },
): Promise<Buffer> {
  const { width, height } = size;
  const { opacity, sigma, fall } = castOf(shadow, subject);
  const long = Math.max(width, height);
  const scale = Math.min(1, Math.max(leastSide / long, softPixels / sigma));
  const small = scaledBy(size, scale);
  const sharp = await loadSharp();
  const raw = (of: Size) => ({ raw: { width: of.width, height: of.height, channels: 1 } as const });
  const soft = sharp(alpha, raw(size)).linear(opacity, 0);
  if (scale < 1) soft.resize({ ...small, fit: "fill" });
  if (sigma * scale >= 0.3) soft.blur({ sigma: sigma * scale, minAmplitude: 0.02 });
  const drawn = await oneChannel(soft);
  const shade =
    scale === 1
      ? drawn
      : await oneChannel(
          sharp(drawn, raw(small)).resize({ width, height, fit: "fill", kernel: "linear" }),
        );
  return lower(shade, width, Math.min(fall, height - 1));
}

/** How far the shadow reaches beyond the subject, in pixels. */
export function shadowReach(shadow: Shadow, subject: Box) {
  const { sigma, fall } = castOf(shadow, subject);
  const round = Math.ceil(sigma * reach);
  return { left: round, right: round, top: Math.max(0, round - fall), bottom: round + fall };
}

function castOf(shadow: Shadow, { height }: Size): Cast {
  const { opacity, blur, offset } = { ...usual, ...shadow };
  return {
    opacity: bounded(opacity),
    sigma: bounded(blur) * height,
    fall: Math.round(bounded(offset) * height),
  };
}

function bounded(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** In place; the topmost row stands for what is above it. */
function lower(shade: Buffer, width: number, rows: number): Buffer {
  shade.copyWithin(rows * width, 0);
  const first = shade.subarray(0, width);
  for (let y = 1; y < rows; y++) shade.set(first, y * width);
  return shade;
}
