import type { Rgb } from "../cutout/ground.ts";
import { readOneChannel } from "../cutout/planes.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox } from "../types.ts";
import { type Lettering, type Mask, openLettering } from "./lettering.ts";
import { contrast, luminance, type PaintLayer, paintMask } from "./paint.ts";
import { readableShare } from "./thumbnail-layout.ts";
import { breakTitle, type TitleLines } from "./title-lines.ts";

/** What the title is written on. */
export interface TitleBackground extends PictureDimensions {
  readonly rgb: Buffer;
  /** Whether it is the same everywhere, or nearly. */
  readonly isCalm: boolean;
}

interface TitleStyle {
  readonly box: PictureBox;
  readonly color?: Rgb;
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** White and black seem equally far from this luminance. By the contrast formula alone, black would be chosen too often. */
const middleLuminance = 0.34;
/** Contrast that text which is not large needs: https://www.w3.org/TR/WCAG22/#contrast-minimum */
const enoughContrast = 4.5;

/** In shares of the height of the picture. */
const largestShare = 0.24;

/** In shares of the size of the letters. */
const rimShare = 0.06;
const haloShare = 0.09;
const haloOpacity = 0.55;
const fallShare = 0.03;

/** The layers of a title, from the lowest up; none when there is nothing to write. */
export async function drawTitle(
  text: string,
  { box, color }: TitleStyle,
  under: TitleBackground,
): Promise<readonly PaintLayer[]> {
  const lettering = await openLettering();
  const { draw } = lettering;
  const sharp = await loadSharp();
  const { lines, size: wanted } = layOutTitle(text, lettering, { box, height: under.height });
  let size = Math.floor(wanted);
  let letters = await draw(sharp, lines, { size, align: "centre" });
  if (letters && overflow(letters, box) > 1) {
    // The measured width does not include kerning and stacked marks.
    size = Math.max(1, Math.floor(size / overflow(letters, box)));
    letters = await draw(sharp, lines, { size, align: "centre" });
  }
  if (!letters) return [];
  const behind = luminanceIn(box, under);
  const ink = color ?? (behind < middleLuminance ? white : black);
  const isPlain = under.isCalm && contrast(behind, luminance(ink)) >= enoughContrast;
  return layersOf(sharp, letters, { box, size, ink, isPlain });
}

/** The lines of a title in a box of a picture of that height. */
export function layOutTitle(
  text: string,
  { measure }: Lettering,
  { box, height }: { readonly box: PictureDimensions; readonly height: number },
): TitleLines {
  const [largest, readable] = [height * largestShare, height * readableShare];
  const room = { width: box.width, height: box.height, largest, readable };
  return breakTitle(text, room, (line) => measure(line).advance);
}

interface TitleDrawing {
  readonly box: PictureBox;
  readonly size: number;
  readonly ink: Rgb;
  /** Whether the letters can be read without a rim. */
  readonly isPlain: boolean;
}

async function layersOf(
  sharp: Sharp,
  letters: Mask,
  { box, size, ink, isPlain }: TitleDrawing,
): Promise<readonly PaintLayer[]> {
  const left = Math.round(box.left + (box.width - letters.width) / 2);
  const top = Math.round(box.top + (box.height - letters.height) / 2);
  const opposite = luminance(ink) < middleLuminance ? white : black;
  const pad = Math.ceil(size * (rimShare + 3 * haloShare));
  const wide = await addBorder(sharp, letters, pad);
  const around = { left: left - pad, top: top - pad };
  const rim = isPlain ? undefined : await grow(sharp, wide, Math.max(2, size * rimShare));
  const halo = await soften(sharp, rim ?? wide, size * haloShare);
  const fallen = { left: around.left, top: around.top + Math.round(size * fallShare) };
  return [
    paintMask(halo, { color: opposite, opacity: haloOpacity }, fallen),
    ...(rim === undefined ? [] : [paintMask(rim, { color: opposite }, around)]),
    paintMask(letters, { color: ink }, { left, top }),
  ];
}

function overflow(letters: PictureDimensions, box: PictureDimensions): number {
  return Math.max(letters.width / box.width, letters.height / box.height);
}

async function addBorder(sharp: Sharp, mask: Mask, by: number): Promise<Mask> {
  const background = { r: 0, g: 0, b: 0 };
  const sides = { top: by, bottom: by, left: by, right: by };
  const data = await readOneChannel(openMask(sharp, mask).extend({ ...sides, background }));
  return { data, width: mask.width + 2 * by, height: mask.height + 2 * by };
}

/** Grows the mask by this many pixels: blurs it until a little of it reaches that far, and makes that solid again. */
async function grow(sharp: Sharp, mask: Mask, by: number): Promise<Mask> {
  const blurred = await readOneChannel(
    openMask(sharp, mask).blur({ sigma: by * 0.6, minAmplitude: 0.01 }),
  );
  const data = await readOneChannel(openMask(sharp, { ...mask, data: blurred }).linear(11, -64));
  return { ...mask, data };
}

async function soften(sharp: Sharp, mask: Mask, sigma: number): Promise<Mask> {
  const data = await readOneChannel(openMask(sharp, mask).blur({ sigma: Math.max(0.3, sigma) }));
  return { ...mask, data };
}

function openMask(sharp: Sharp, { data, width, height }: Mask) {
  return sharp(data, { raw: { width, height, channels: 1 } });
}

/** The mean luminance in a box. */
function luminanceIn({ left, top, width, height }: PictureBox, under: TitleBackground): number {
  const step = 4;
  let [sum, count] = [0, 0];
  for (let y = top; y < top + height; y += step) {
    for (let x = left; x < left + width; x += step) {
      const at = (y * under.width + x) * 3;
      sum += luminance([under.rgb[at] ?? 0, under.rgb[at + 1] ?? 0, under.rgb[at + 2] ?? 0]);
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}
