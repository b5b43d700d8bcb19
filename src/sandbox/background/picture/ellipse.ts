import type { Matting } from "./matte.ts";

/** Half axes, as shares of the picture's sides. */
const ellipse = { across: 0.35, down: 0.4 } as const;
/** Share of the radius over which the edge fades. */
const fade = 0.03;

/** Takes the middle of every picture for its subject: fast, always the same, and without the network. */
export const ellipseMatting: Matting = async ({ width, height }) => {
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const v = ((y + 0.5) / height - 0.5) / ellipse.down;
    const half = Math.sqrt(Math.max(0, 1 - v * v)) * ellipse.across;
    const from = Math.max(0, Math.floor((0.5 - half) * width));
    const to = Math.min(width, Math.ceil((0.5 + half) * width));
    for (let x = from; x < to; x++) {
      const u = ((x + 0.5) / width - 0.5) / ellipse.across;
      const inside = (1 - Math.sqrt(u * u + v * v)) / fade;
      alpha[y * width + x] = Math.round(255 * Math.min(1, Math.max(0, inside)));
    }
  }
  return alpha;
};
