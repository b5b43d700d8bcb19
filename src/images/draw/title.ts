import { formatHexColor } from "../cutout/backdrop.ts";
import type { Rgb } from "../cutout/ground.ts";
import { readOneChannel } from "../cutout/planes.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, ThumbnailTitle } from "../types.ts";
import { findInLines, type TitleSpan } from "./emphasis.ts";
import { type Lettering, openLettering } from "./lettering.ts";
import {
  createPaintLayer,
  growMask,
  luminance,
  type PaintLayer,
  paintMask,
  softenMask,
} from "./paint.ts";
import { escapeXml } from "./svg.ts";
import { readableShare } from "./thumbnail-layout.ts";
import { breakTitle, lineHeight, type TitleLines } from "./title-lines.ts";

/** What the title is written on. */
interface TitleBackground extends PictureDimensions {
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

/** Line height of the font for titles, as a share of the letters' size. */
const ownLineHeight = 1.448;

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
  if (text === "") return [];
  const lettering = await openLettering("display", [text]);
  const sharp = await loadSharp();
  const ink = color ?? (luminanceIn(box, under) < lightLuminance ? white : black);
  const offered = accents[isDark(ink) ? "onLight" : "onDark"];
  const accent =
    emphasis?.color ??
    offered.find(
      ([r, g, b]) => Math.hypot(r - ink[0], g - ink[1], b - ink[2]) >= leastDifference,
    ) ??
    ink;
  const { lines, size: wanted } = layOutTitle(text, lettering, { box, height: under.height });
  const spans = emphasis ? findInLines(lines, text, emphasis) : [];
  const write = (size: number) =>
    drawLetters(sharp, lettering.families, {
      lines: lines.map((line, i) => markWord(line, spans[i], accent)),
      ink,
      size,
      align,
    });
  let size = Math.floor(wanted);
  let letters = await write(size);
  if (overflow(letters, box) > 1) {
    // The measured width does not include kerning and stacked marks.
    size = Math.max(1, Math.floor(size / overflow(letters, box)));
    letters = await write(size);
  }
  return paintLetters(sharp, letters, { box, size, ink, align });
}

/** Letters in their colours, cut to the ink: RGBA. */
interface DrawnLetters extends PictureDimensions {
  readonly data: Buffer;
}

interface LetterStyle extends Required<Pick<ThumbnailTitle, "align">> {
  /** Pango's markup. */
  readonly lines: readonly string[];
  readonly ink: Rgb;
  readonly size: number;
}

/** Pango is given the whole paragraph, so that it joins letters and orders the directions of scripts. */
async function drawLetters(
  sharp: Sharp,
  families: string,
  { lines, ink, size, align }: LetterStyle,
): Promise<DrawnLetters> {
  // Relative to each font's own, so that scripts with marks above and below have higher lines.
  const text = `<span line_height="${lineHeight / ownLineHeight}" foreground="${formatHexColor(ink)}">${lines.join("\n")}</span>`;
  const font = `${families}, ${Math.max(1, size)}`;
  const { data, info } = await sharp({
    text: { text, font, align, rgba: true, dpi: 72, wrap: "none" },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function markWord(line: string, span: TitleSpan | undefined, color: Rgb): string {
  if (span === undefined) return escapeXml(line);
  const word = escapeXml(line.slice(span.start, span.end));
  return `${escapeXml(line.slice(0, span.start))}<span foreground="${formatHexColor(color)}">${word}</span>${escapeXml(line.slice(span.end))}`;
}

/** Whether letters of this colour have a white rim. */
function isDark(ink: Rgb): boolean {
  return luminance(ink) < 0.2;
}

/** The lines of a title in a box of a picture of that height. */
export function layOutTitle(
  text: string,
  { advance }: Lettering,
  { box, height }: { readonly box: PictureDimensions; readonly height: number },
): TitleLines {
  const [largest, readable] = [height * largestShare, height * readableShare];
  const room = { width: box.width, height: box.height, largest, readable };
  return breakTitle(text, room, advance);
}

const alignShares = { left: 0, center: 0.5, right: 1 } as const;

/** The letters have a rim that keeps them readable on anything, and a soft shadow below. */
async function paintLetters(
  sharp: Sharp,
  letters: DrawnLetters,
  { box, size, ink, align }: Omit<LetterStyle, "lines"> & { readonly box: PictureBox },
): Promise<readonly PaintLayer[]> {
  const { data, width, height } = letters;
  const left = Math.round(box.left + (box.width - width) * alignShares[align]);
  const top = Math.round(box.top + (box.height - height) / 2);
  const opposite = isDark(ink) ? white : black;
  const pad = Math.ceil(size * (rimShare + 3 * haloShare));
  const around = { left: left - pad, top: top - pad };
  const covered = await readOneChannel(
    sharp(data, { raw: { width, height, channels: 4 } })
      .extractChannel("alpha")
      .extend({ top: pad, bottom: pad, left: pad, right: pad, background: "#00000000" }),
  );
  const wide = { data: covered, width: width + 2 * pad, height: height + 2 * pad };
  const rim = await growMask(sharp, wide, Math.max(2, size * rimShare));
  const halo = await softenMask(sharp, rim, size * haloShare);
  const fallen = { left: around.left, top: around.top + Math.round(size * fallShare) };
  return [
    paintMask(halo, { color: opposite, opacity: haloOpacity }, fallen),
    paintMask(rim, { color: opposite }, around),
    createPaintLayer(data, letters, { left, top }),
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
