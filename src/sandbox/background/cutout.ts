import type { Four } from "./lengths.ts";
import { toPixels } from "./lengths.ts";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A picture with its matte; `color` still shows the background. */
export interface Cutout {
  readonly width: number;
  readonly height: number;
  /** RGB. */
  readonly color: Uint8Array;
  readonly alpha: Uint8Array;
}

/** Opacity from which a pixel counts as part of the foreground. */
const visible = 13;
const opaque = 242;
/** How far, in pixels, an edge looks inward for the colour of its subject. */
const reach = 6;
/** A crop margin is at most half the subject or 500 px a side. */
const maxMarginPx = 500;

/** Smallest box round the foreground; undefined when there is none. */
export function foreground({ width, height, alpha }: Cutout): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if ((alpha[i] ?? 0) < visible) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Takes the background's tint out of soft edges: they get the colour of the nearest opaque pixel. */
export function correctEdges({ width, height, color, alpha }: Cutout): Cutout {
  const corrected = color.slice();
  for (let i = 0; i < alpha.length; i++) {
    const own = alpha[i] ?? 0;
    if (own === 0 || own >= opaque) continue;
    const near = nearestOpaque(alpha, { x: i % width, y: Math.floor(i / width), width, height });
    if (near < 0) continue;
    for (let c = 0; c < 3; c++) {
      const inner = (color[near * 3 + c] ?? 0) * (255 - own);
      corrected[i * 3 + c] = ((color[i * 3 + c] ?? 0) * own + inner) / 255;
    }
  }
  return { width, height, color: corrected, alpha };
}

const directions = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;

function nearestOpaque(
  alpha: Uint8Array,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): number {
  for (let step = 1; step <= reach; step++) {
    for (const [dx, dy] of directions) {
      const [px, py] = [x + dx * step, y + dy * step];
      const inside = px >= 0 && px < width && py >= 0 && py < height;
      if (inside && (alpha[py * width + px] ?? 0) >= opaque) return py * width + px;
    }
  }
  return -1;
}

/** The box with its margin round it; it may reach beyond the picture. */
export function withMargin(box: Box, margin: Four): Box {
  const side = (index: 0 | 1 | 2 | 3, whole: number): number =>
    Math.round(Math.min(toPixels(margin[index], whole), whole / 2, maxMarginPx));
  const [top, bottom] = [side(0, box.height), side(2, box.height)];
  const [right, left] = [side(1, box.width), side(3, box.width)];
  return {
    left: box.left - left,
    top: box.top - top,
    width: box.width + left + right,
    height: box.height + top + bottom,
  };
}

/** Cuts a box out; what lies beyond the picture is clear. */
export function crop({ width, height, color, alpha }: Cutout, box: Box): Cutout {
  const cropped = {
    width: box.width,
    height: box.height,
    color: new Uint8Array(box.width * box.height * 3),
    alpha: new Uint8Array(box.width * box.height),
  };
  const from = Math.max(0, box.left);
  const to = Math.min(width, box.left + box.width);
  for (let y = Math.max(0, box.top); y < Math.min(height, box.top + box.height); y++) {
    const source = y * width;
    const target = (y - box.top) * box.width - box.left;
    cropped.alpha.set(alpha.subarray(source + from, source + to), target + from);
    cropped.color.set(color.subarray((source + from) * 3, (source + to) * 3), (target + from) * 3);
  }
  return cropped;
}

/** What lies behind: one colour, or a picture of the cut-out's own size. */
export interface Backdrop {
  /** RGB of each pixel, or of all when it is 3 long. */
  readonly color: Uint8Array;
  /** Of all pixels, 0 to 255. */
  readonly alpha: number;
}

/** Lays the cut-out on a backdrop, which may be clear itself. */
export function onBackdrop({ width, height, color, alpha }: Cutout, backdrop: Backdrop): Cutout {
  const mixed = new Uint8Array(color.length);
  const solid = new Uint8Array(alpha.length);
  const stride = backdrop.color.length === 3 ? 0 : 3;
  for (let i = 0; i < alpha.length; i++) {
    const front = (alpha[i] ?? 0) / 255;
    const back = (backdrop.alpha / 255) * (1 - front);
    const total = front + back;
    solid[i] = Math.round(total * 255);
    if (total === 0) continue;
    for (let c = 0; c < 3; c++) {
      const behind = backdrop.color[i * stride + c] ?? 0;
      mixed[i * 3 + c] = Math.round(((color[i * 3 + c] ?? 0) * front + behind * back) / total);
    }
  }
  return { width, height, color: mixed, alpha: solid };
}
