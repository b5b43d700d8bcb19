import type { Rgb } from "../cutout/ground.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, ThumbnailTitle } from "../types.ts";
import { flagLines, type TitleSpan } from "./emphasis.ts";
import { type DrawnLetters, type Lettering, openLettering } from "./lettering.ts";
import { addMaskBorder, growMask, softenMask } from "./mask-effects.ts";
import { luminance, type PaintLayer, paintMask } from "./paint.ts";
import { readableShare } from "./thumbnail-layout.ts";
import { breakTitle, type TitleLines } from "./title-lines.ts";

/** What the title is written on. */
export interface TitleBackground extends PictureDimensions {
  readonly rgb: Buffer;
}

interface TitleStyle extends Pick<ThumbnailTitle, "align"> {
  readonly box: PictureBox;
  readonly color?: Rgb;
  /** The emphasised word, and its colour where one was chosen. */
  readonly emphasis?: TitleSpan & { readonly color?: Rgb };
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** Above this luminance letters are black. White ones have a dark rim, so they are readable on most colours. */
const lightLuminance = 0.48;

/** For the emphasised word: the first that differs enough from the other letters. */
const accents = {
  onLight: [
    [225, 0, 35],
    [255, 226, 0],
  ],
  onDark: [
    [255, 226, 0],
    [225, 0, 35],
  ],
} as const;
const leastDifference = 190;

/** In shares of the height of the picture. */
const largestShare = 0.3;

/** In shares of the size of the letters. */
const rimShare = 0.075;
const haloShare = 0.09;
const haloOpacity = 0.6;
const fallShare = 0.045;

/** The layers of a title, from the lowest up; none when there is nothing to write. */
export async function drawTitle(
  text: string,
  { box, color, align = "center", emphasis }: TitleStyle,
  under: TitleBackground,
): Promise<readonly PaintLayer[]> {
  const lettering = await openLettering("display", [text]);
  const sharp = await loadSharp();
  const { lines, size: wanted } = layOutTitle(text, lettering, { box, height: under.height });
  const style = {
    align: align === "center" ? "centre" : align,
    ...(emphasis && { flags: flagLines(lines, text, emphasis) }),
  } as const;
  let size = Math.floor(wanted);
  let letters = await lettering.draw(sharp, lines, { size, ...style });
  if (letters && overflow(letters, box) > 1) {
    // The measured width does not include kerning and stacked marks.
    size = Math.max(1, Math.floor(size / overflow(letters, box)));
    letters = await lettering.draw(sharp, lines, { size, ...style });
  }
  if (!letters) return [];
  const ink = color ?? (luminanceIn(box, under) < lightLuminance ? white : black);
  const offered = accents[isDark(ink) ? "onLight" : "onDark"];
  const accent = emphasis?.color ?? offered.find((one) => isApart(one, ink)) ?? ink;
  return layersOf(sharp, letters, { box, size, ink, accent, align });
}

/** Whether letters of this colour have a white rim. */
function isDark(ink: Rgb): boolean {
  return luminance(ink) < 0.2;
}

function isApart(a: Rgb, b: Rgb): boolean {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) >= leastDifference;
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

interface TitleDrawing extends Required<Pick<ThumbnailTitle, "align">> {
  readonly box: PictureBox;
  readonly size: number;
  readonly ink: Rgb;
  readonly accent: Rgb;
}

const alignShares = { left: 0, center: 0.5, right: 1 } as const;

/** The letters have a rim that keeps them readable on anything, and a soft shadow below. */
async function layersOf(
  sharp: Sharp,
  letters: DrawnLetters,
  { box, size, ink, accent, align }: TitleDrawing,
): Promise<readonly PaintLayer[]> {
  const left = Math.round(box.left + (box.width - letters.width) * alignShares[align]);
  const top = Math.round(box.top + (box.height - letters.height) / 2);
  const opposite = isDark(ink) ? white : black;
  const pad = Math.ceil(size * (rimShare + 3 * haloShare));
  const wide = await addMaskBorder(sharp, letters, pad);
  const around = { left: left - pad, top: top - pad };
  const rim = await growMask(sharp, wide, Math.max(2, size * rimShare));
  const halo = await softenMask(sharp, rim, size * haloShare);
  const fallen = { left: around.left, top: around.top + Math.round(size * fallShare) };
  const { emphasised } = letters;
  return [
    paintMask(halo, { color: opposite, opacity: haloOpacity }, fallen),
    paintMask(rim, { color: opposite }, around),
    paintMask(letters, { color: ink }, { left, top }),
    ...(emphasised
      ? [paintMask({ ...letters, data: emphasised }, { color: accent }, { left, top })]
      : []),
  ];
}

function overflow(letters: PictureDimensions, box: PictureDimensions): number {
  return Math.max(letters.width / box.width, letters.height / box.height);
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
