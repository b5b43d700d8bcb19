import type { Rgb } from "../cutout/ground.ts";
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

/** One layer of a picture, as sharp composes it. */
export interface PaintLayer {
  readonly input: Buffer;
  readonly raw: PictureDimensions & { readonly channels: 4 };
  readonly left: number;
  readonly top: number;
}

/** A colour and its opacity: 1 when absent. */
export interface Ink {
  readonly color: Rgb;
  readonly opacity?: number;
}

/** Where the left upper corner goes; fractions are rounded. */
interface Spot {
  readonly left: number;
  readonly top: number;
}

/** One colour where the mask covers. */
export function paintMask(
  { data, width, height }: Mask,
  { color, opacity = 1 }: Ink,
  spot: Spot,
): PaintLayer {
  const [red, green, blue] = color;
  const input = Buffer.allocUnsafe(width * height * 4);
  for (let i = 0, at = 0; i < data.length; i++, at += 4) {
    input[at] = red;
    input[at + 1] = green;
    input[at + 2] = blue;
    input[at + 3] = (data[i] ?? 0) * opacity + 0.5;
  }
  return createPaintLayer(input, { width, height }, spot);
}

export function createPaintLayer(
  input: Buffer,
  { width, height }: PictureDimensions,
  { left, top }: Spot,
): PaintLayer {
  const raw = { width, height, channels: 4 } as const;
  return { input, raw, left: Math.round(left), top: Math.round(top) };
}

/** The part of a layer that is on a canvas: sharp composes none that is larger than it. */
export function clipLayer(layer: PaintLayer, canvas: PictureDimensions): PaintLayer {
  const { input, raw } = layer;
  if (raw.width <= canvas.width && raw.height <= canvas.height) return layer;
  const [left, top] = [Math.max(0, layer.left), Math.max(0, layer.top)];
  const width = Math.max(1, Math.min(canvas.width, layer.left + raw.width) - left);
  const height = Math.max(1, Math.min(canvas.height, layer.top + raw.height) - top);
  const clipped = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top - layer.top + y) * raw.width + left - layer.left) * 4;
    input.copy(clipped, y * width * 4, from, from + width * 4);
  }
  return createPaintLayer(clipped, { width, height }, { left, top });
}

/** How light a colour is to the eye, 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(sample: number): number {
  const share = sample / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
