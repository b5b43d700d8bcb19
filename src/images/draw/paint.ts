import type { Rgb } from "../cutout/ground.ts";
import type { Mask } from "./lettering.ts";

/** One layer of a picture, as sharp composes it. */
export interface PaintLayer {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
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
  { width, height }: { readonly width: number; readonly height: number },
  { left, top }: Spot,
): PaintLayer {
  const raw = { width, height, channels: 4 } as const;
  return { input, raw, left: Math.round(left), top: Math.round(top) };
}

/** How light a colour is to the eye, 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(sample: number): number {
  const share = sample / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
