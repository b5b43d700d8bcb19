import type { Cutout } from "./cutout.ts";

/** Opacity from which a pixel's colour is the subject's own. */
const opaque = 242;
/** How often an edge looks further inward for the colour of its subject. */
const steps = 6;
/** Edges are as wide as the matte was enlarged; it comes with 320 pixels a side. */
const finest = 640;

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

/** Takes the background's tint out of soft edges, in place: they get the colour of an opaque pixel near them. */
export function correctEdges({ width, height, color, alpha }: Cutout): void {
  const stride = Math.max(1, Math.round(Math.max(width, height) / finest));

  function nearestOpaque(x: number, y: number): number {
    for (let far = stride; far <= steps * stride; far += stride) {
      for (const [dx, dy] of directions) {
        const [px, py] = [x + dx * far, y + dy * far];
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        if ((alpha[py * width + px] ?? 0) >= opaque) return py * width + px;
      }
    }
    return -1;
  }

  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const own = alpha[i] ?? 0;
      if (own === 0 || own >= opaque) continue;
      const near = nearestOpaque(x, y);
      if (near < 0) continue;
      for (let c = 0; c < 3; c++) {
        const inner = (color[near * 3 + c] ?? 0) * (255 - own);
        color[i * 3 + c] = ((color[i * 3 + c] ?? 0) * own + inner) / 255;
      }
    }
  }
}
