import { pictureErrors } from "../picture-errors.ts";
import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox } from "../types.ts";
import type { CutoutPlanes } from "./cutout.ts";
import { openAlpha, openColorPipeline } from "./planes.ts";

/** The subject alone: straight RGBA in sRGB, nothing under alpha 0. */
export interface CutoutSubject extends PictureDimensions {
  readonly data: Buffer;
  /** Where it stood in the cut-out. */
  readonly box: PictureBox;
}

/** Mattes contain a haze of a few levels that nobody sees. */
const faint = 8;
/** Anything above this is clearly visible. */
const solid = 128;

/** How much larger than the visible part remove.bg's box may be: it may see more than we do. */
const slack = { share: 1 / 50, pixels: 2 } as const;

/**
 * Where the subject is: remove.bg's box where the alpha agrees with it, else the smallest box around everything
 * visible; `undefined` when nothing is visible. A box in pixels of the picture before it was shrunk never agrees:
 * docs/services/removebg.md#foreground-position
 */
export function findSubjectBox(
  alpha: Uint8Array,
  size: PictureDimensions,
  foreground?: PictureBox,
): PictureBox | undefined {
  const visible = findVisibleBox(alpha, size);
  if (foreground === undefined || visible === undefined) return visible;
  const whole = { left: 0, top: 0, ...size };
  const clear = findVisibleBox(alpha, size, solid) ?? visible;
  const by = Math.max(slack.pixels, Math.max(visible.width, visible.height) * slack.share);
  const largest = growBox(visible, { left: by, top: by, right: by, bottom: by }, size);
  const agrees =
    contains(whole, foreground) && contains(foreground, clear) && contains(largest, foreground);
  return agrees ? foreground : visible;
}

function contains(outer: PictureBox, inner: PictureBox): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.width >= inner.left + inner.width &&
    outer.top + outer.height >= inner.top + inner.height
  );
}

/** The smallest box around every sample above a level; `undefined` when there is none. */
function findVisibleBox(
  alpha: Uint8Array,
  { width, height }: PictureDimensions,
  level = faint,
): PictureBox | undefined {
  const isEmpty = (row: number) => firstAbove(alpha, level, row * width, (row + 1) * width) < 0;
  let top = 0;
  while (top < height && isEmpty(top)) top++;
  if (top === height) return undefined;
  let bottom = height - 1;
  while (isEmpty(bottom)) bottom--;
  let left = width;
  let right = -1;
  for (let row = top; row <= bottom; row++) {
    const start = row * width;
    const first = firstAbove(alpha, level, start, start + left);
    if (first >= 0) left = first - start;
    for (let x = width - 1; x > right; x--) if ((alpha[start + x] ?? 0) > level) right = x;
  }
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The box made larger by `by` pixels on each side, within the picture. */
export function growBox(
  box: PictureBox,
  by: { readonly [side in "left" | "top" | "right" | "bottom"]: number },
  within: PictureDimensions,
): PictureBox {
  const left = Math.max(0, box.left - by.left);
  const top = Math.max(0, box.top - by.top);
  const right = Math.min(within.width, box.left + box.width + by.right);
  const bottom = Math.min(within.height, box.top + box.height + by.bottom);
  return { left, top, width: right - left, height: bottom - top };
}

/** Crops the cut-out to a box. The colours are cut where they are decoded, so that nothing is decoded twice. */
export function cropCutout(cutout: CutoutPlanes, alpha: Buffer, box: PictureBox): CutoutPlanes {
  const { width, height } = box;
  const raw = { width, height, channels: 1 } as const;
  const data = Buffer.allocUnsafeSlow(width * height);
  for (let y = 0; y < height; y++) {
    const start = (box.top + y) * cutout.width + box.left;
    alpha.copy(data, y * width, start, start + width);
  }
  const region = cutout.region
    ? { ...box, left: box.left + cutout.region.left, top: box.top + cutout.region.top }
    : box;
  return { ...cutout, width, height, region, alpha: { data, raw } };
}

/**
 * Decodes the subject alone, cropped to what is visible.
 * @throws InputError `picture_no_subject` when nothing is visible
 */
export async function openSubject(
  cutout: CutoutPlanes,
  foreground?: PictureBox,
): Promise<CutoutSubject> {
  const sharp = await loadSharp();
  const alpha = await openAlpha(sharp, cutout);
  const box = findSubjectBox(alpha, cutout, foreground);
  if (!box) throw pictureErrors.noSubject();
  const cropped = cropCutout(cutout, alpha, box);
  const rgb = await openColorPipeline(sharp, cropped).removeAlpha().raw().toBuffer();
  const visible = cropped.alpha.data;
  const data = Buffer.alloc(visible.length * 4);
  for (let i = 0, from = 0, at = 0; i < visible.length; i++, from += 3, at += 4) {
    const opacity = visible[i] ?? 0;
    if (opacity === 0) continue;
    data[at] = rgb[from] ?? 0;
    data[at + 1] = rgb[from + 1] ?? 0;
    data[at + 2] = rgb[from + 2] ?? 0;
    data[at + 3] = opacity;
  }
  return { data, width: box.width, height: box.height, box };
}

function firstAbove(alpha: Uint8Array, level: number, start: number, end: number): number {
  for (let i = start; i < end; i++) if ((alpha[i] ?? 0) > level) return i;
  return -1;
}
