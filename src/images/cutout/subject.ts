import { refusal } from "../refusal.ts";
import { loadSharp } from "../sharp.ts";
import type { Size } from "../size.ts";
import type { Cutout } from "./cutout.ts";
import { colorPipeline, openAlpha } from "./planes.ts";

/** Part of a picture, in pixels. */
export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** The subject alone: straight RGBA in sRGB, nothing under alpha 0. */
export interface Subject extends Size {
  readonly data: Buffer;
  /** Where it stood in the cut-out. */
  readonly box: Box;
}

/** Mattes leave a haze of a few levels where nobody sees anything. */
const faint = 8;
/** What is above this nobody takes for haze. */
const solid = 128;

/** How much larger than what is visible a told box may be: the service may see what we don't. */
const slack = { share: 1 / 50, pixels: 2 } as const;

/**
 * Where the subject is: as told, where the alpha bears that out, else the smallest box round everything visible.
 * `undefined` when nothing is visible. A box in the pixels of the picture before it was shrunk is borne out by none
 * (facts/background-removal-notes.md 30).
 */
export function subjectBox(alpha: Uint8Array, size: Size, told?: Box): Box | undefined {
  const visible = boxOf(alpha, size);
  if (told === undefined || visible === undefined) return visible;
  const whole = { left: 0, top: 0, ...size };
  const clear = boxOf(alpha, size, solid) ?? visible;
  const by = Math.max(slack.pixels, Math.max(visible.width, visible.height) * slack.share);
  const largest = grow(visible, { left: by, top: by, right: by, bottom: by }, size);
  const isBorneOut = contains(whole, told) && contains(told, clear) && contains(largest, told);
  return isBorneOut ? told : visible;
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.width >= inner.left + inner.width &&
    outer.top + outer.height >= inner.top + inner.height
  );
}

/** The smallest box round every sample above a level; `undefined` when there is none. */
function boxOf(alpha: Uint8Array, { width, height }: Size, level = faint): Box | undefined {
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

/** The box grown by so many pixels on each side, as far as the picture reaches. */
export function grow(box: Box, by: { readonly [side in Side]: number }, within: Size): Box {
  const left = Math.max(0, box.left - by.left);
  const top = Math.max(0, box.top - by.top);
  const right = Math.min(within.width, box.left + box.width + by.right);
  const bottom = Math.min(within.height, box.top + box.height + by.bottom);
  return { left, top, width: right - left, height: bottom - top };
}

type Side = "left" | "top" | "right" | "bottom";

/** Samples of the box alone, one byte each. */
function cropSamples(samples: Buffer, { width }: Size, box: Box): Buffer {
  const cropped = Buffer.allocUnsafeSlow(box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const start = (box.top + y) * width + box.left;
    samples.copy(cropped, y * box.width, start, start + box.width);
  }
  return cropped;
}

/**
 * Cuts the picture down to a box of it.
 * The colours are cut where they are decoded, so that nothing is decoded twice.
 */
export function cropTo(cutout: Cutout, alpha: Buffer, box: Box): Cutout {
  const { width, height } = box;
  const raw = { width, height, channels: 1 } as const;
  const region = cutout.region
    ? { ...box, left: box.left + cutout.region.left, top: box.top + cutout.region.top }
    : box;
  return {
    ...cutout,
    width,
    height,
    region,
    alpha: { data: cropSamples(alpha, cutout, box), raw },
  };
}

/**
 * Decodes the subject alone, cropped to what is visible.
 * @throws InputError `picture_no_subject` when nothing is visible
 */
export async function openSubject(cutout: Cutout, told?: Box): Promise<Subject> {
  const sharp = await loadSharp();
  const alpha = await openAlpha(sharp, cutout);
  const box = subjectBox(alpha, cutout, told);
  if (!box) throw refusal.noSubject();
  const cropped = cropTo(cutout, alpha, box);
  const rgb = await colorPipeline(sharp, cropped).removeAlpha().raw().toBuffer();
  return { data: joinSamples(rgb, cropped.alpha.data), width: box.width, height: box.height, box };
}

/** RGBA of RGB and alpha; what lies under alpha 0 is cleared. */
function joinSamples(rgb: Buffer, alpha: Buffer): Buffer {
  const rgba = Buffer.alloc(alpha.length * 4);
  for (let i = 0, from = 0, at = 0; i < alpha.length; i++, from += 3, at += 4) {
    const opacity = alpha[i] ?? 0;
    if (opacity === 0) continue;
    rgba[at] = rgb[from] ?? 0;
    rgba[at + 1] = rgb[from + 1] ?? 0;
    rgba[at + 2] = rgb[from + 2] ?? 0;
    rgba[at + 3] = opacity;
  }
  return rgba;
}

function firstAbove(alpha: Uint8Array, level: number, start: number, end: number): number {
  for (let i = start; i < end; i++) if ((alpha[i] ?? 0) > level) return i;
  return -1;
}
