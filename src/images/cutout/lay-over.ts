import type { PictureDimensions } from "../size.ts";
import type { Ground } from "./ground.ts";

/** Greatest product of two 8-bit shares, and its half for rounding. */
const whole = 255 * 255;
const half = (whole - 1) / 2;

/** RGB samples with straight alpha, both changed in place. */
interface SubjectLayer extends PictureDimensions {
  readonly rgb: Buffer;
  readonly alpha: Buffer;
}

/**
 * Lays a subject and the shadow below it onto a ground, in place and opaque: straight alpha, rounded once. Most pixels
 * lie fully inside or outside the subject, so the outside is copied in runs.
 */
export function layOver(
  { rgb, alpha, width, height }: SubjectLayer,
  ground: Ground,
  shade?: Buffer,
) {
  for (let y = 0; y < height; y++) {
    const row = ground.row(y);
    const start = y * width;
    for (let x = 0; x < width; ) {
      const pixel = start + x;
      const on = alpha[pixel];
      if (on === 255) {
        while (x < width && alpha[start + x] === 255) x++;
      } else if (on === 0 && !shade?.[pixel]) {
        const from = x * 3;
        while (x < width && alpha[start + x] === 0 && !shade?.[start + x]) x++;
        rgb.set(row.subarray(from, x * 3), pixel * 3);
      } else {
        const over = (on ?? 0) * 255;
        const under = (255 - (on ?? 0)) * (255 - (shade?.[pixel] ?? 0));
        for (let at = pixel * 3, from = x * 3; from < (x + 1) * 3; at++, from++) {
          rgb[at] = ((rgb[at] ?? 0) * over + (row[from] ?? 0) * under + half) / whole;
        }
        x++;
      }
    }
  }
}

/**
 * Lays a subject onto its own shadow, in place: what was alpha 0 becomes black under the shadow's alpha. Where neither
 * is, the picture stays transparent and its colours are cleared.
 */
export function layOnShadow({ rgb, alpha }: SubjectLayer, shade: Buffer) {
  for (let pixel = 0, at = 0; pixel < alpha.length; pixel++, at += 3) {
    const on = alpha[pixel] ?? 0;
    if (on === 255) continue;
    if (on === 0) {
      rgb[at] = 0;
      rgb[at + 1] = 0;
      rgb[at + 2] = 0;
      alpha[pixel] = shade[pixel] ?? 0;
      continue;
    }
    const both = on * 255 + (255 - on) * (shade[pixel] ?? 0);
    const share = (on * 255) / both;
    rgb[at] = (rgb[at] ?? 0) * share + 0.5;
    rgb[at + 1] = (rgb[at + 1] ?? 0) * share + 0.5;
    rgb[at + 2] = (rgb[at + 2] ?? 0) * share + 0.5;
    alpha[pixel] = both / 255 + 0.5;
  }
}
