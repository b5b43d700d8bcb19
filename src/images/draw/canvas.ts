import type { Rgb } from "../cutout/ground.ts";
import type { Mask } from "./lettering.ts";

/** A drawing with straight alpha, transparent at first. */
export interface Canvas {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** In pixels and their fractions. */
interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Corners {
  /** Radius of all four corners, or of the upper two. */
  readonly radius: number;
  readonly isFlatBelow?: boolean;
}

export function createCanvas(width: number, height: number): Canvas {
  return { data: Buffer.alloc(width * height * 4), width, height };
}

/** Fills a rectangle with round corners; edges between pixels are smoothed. */
export function fillRect(canvas: Canvas, rect: Rect, color: Rgb, corners: Corners = { radius: 0 }) {
  const { isFlatBelow = false } = corners;
  const radius = Math.min(corners.radius, rect.width / 2, rect.height);
  const [right, bottom] = [rect.left + rect.width, rect.top + rect.height];
  for (let y = Math.floor(rect.top); y < bottom; y++) {
    for (let x = Math.floor(rect.left); x < right; x++) {
      const share = overlap(x, rect.left, right) * overlap(y, rect.top, bottom);
      const isLower = y + 0.5 > bottom - radius;
      const isRound = !(isFlatBelow && isLower);
      const round = isRound ? insideCorner(x + 0.5, y + 0.5, { rect, radius }) : 1;
      blend(canvas, { x, y }, color, share * round);
    }
  }
}

/** Fills what a mask covers; `spot` is where its left upper corner lies. */
export function fillMask(canvas: Canvas, mask: Mask, spot: Pick<Rect, "left" | "top">, color: Rgb) {
  const [left, top] = [Math.round(spot.left), Math.round(spot.top)];
  for (let y = 0; y < mask.height; y++) {
    for (let x = 0; x < mask.width; x++) {
      const share = (mask.data[y * mask.width + x] ?? 0) / 255;
      blend(canvas, { x: left + x, y: top + y }, color, share);
    }
  }
}

/** How much of the pixel from `at` to the next lies between two edges. */
function overlap(at: number, start: number, end: number): number {
  return Math.max(0, Math.min(at + 1, end) - Math.max(at, start));
}

function insideCorner(
  x: number,
  y: number,
  { rect, radius }: { readonly rect: Rect; readonly radius: number },
): number {
  const dx = distanceOutside(x, rect.left + radius, rect.left + rect.width - radius);
  const dy = distanceOutside(y, rect.top + radius, rect.top + rect.height - radius);
  if (dx === 0 || dy === 0) return 1;
  return Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(dx, dy)));
}

function distanceOutside(value: number, from: number, to: number): number {
  return Math.max(from - value, 0, value - to);
}

function blend(
  { data, width, height }: Canvas,
  { x, y }: { readonly x: number; readonly y: number },
  [red, green, blue]: Rgb,
  share: number,
) {
  if (share <= 0 || x < 0 || y < 0 || x >= width || y >= height) return;
  const at = (y * width + x) * 4;
  const under = (data[at + 3] ?? 0) / 255;
  const alpha = share + under * (1 - share);
  const mix = (above: number, below: number) =>
    Math.round((above * share + below * under * (1 - share)) / alpha);
  data[at] = mix(red, data[at] ?? 0);
  data[at + 1] = mix(green, data[at + 1] ?? 0);
  data[at + 2] = mix(blue, data[at + 2] ?? 0);
  data[at + 3] = Math.round(alpha * 255);
}
