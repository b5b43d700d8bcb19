import { type OpenPicture, openPicture } from "../files/open-picture.ts";
import { pictureErrors } from "../picture-errors.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox, SheetOptions } from "../types.ts";
import { createPaintLayer, type PaintLayer } from "./paint.ts";

const usualSide = 1200;
const leastSide = 64;

/** The checkerboard behind transparent parts, which looks empty in light and dark themes. */
const square = 12;
const shades = [255, 222] as const;

/** Quality first, then pixels. */
const qualities = [82, 65, 45] as const;
const shrinkFactor = 0.75;

/** Several pictures on one. */
export async function composeSheet(
  pictures: readonly Buffer[],
  { side = usualSide, maxBytes }: Omit<SheetOptions, "signal">,
): Promise<{ readonly bytes: Buffer }> {
  const opened: OpenPicture[] = [];
  for (const picture of pictures) opened.push(await openPicture(picture));
  let smallest = Number.POSITIVE_INFINITY;
  for (let longer = side; longer >= leastSide; longer = Math.floor(longer * shrinkFactor)) {
    const drawn = await drawSheet(opened, longer);
    for (const quality of qualities) {
      const bytes = await drawn.clone().webp({ quality, effort: 4 }).toBuffer();
      if (bytes.length <= maxBytes) return { bytes };
      smallest = Math.min(smallest, bytes.length);
    }
  }
  throw pictureErrors.tooLarge(smallest, maxBytes);
}

/** One after the other, because each may be large while it is read. */
async function drawSheet(pictures: readonly OpenPicture[], side: number) {
  const sharp = await loadSharp();
  const { width, height, cells } = layOutSheet(pictures, side);
  const layers: PaintLayer[] = [];
  for (const [i, picture] of pictures.entries()) {
    const cell = cells[i];
    if (cell !== undefined) layers.push(await drawCell(sharp, picture, cell));
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const drawn = await sharp({ create: { width, height, channels: 4, background } })
    .composite(layers)
    .raw()
    .toBuffer();
  return sharp(drawn, { raw: { width, height, channels: 4 } });
}

/** The whole picture in the middle of its cell, on a checkerboard where it is transparent. */
async function drawCell(sharp: Sharp, picture: OpenPicture, cell: PictureBox): Promise<PaintLayer> {
  const { width, height } = cell;
  // A pixel of rounding is ignored: the picture fills its cell then, or an edge would show.
  const hasShape = Math.abs((picture.width * height) / picture.height - width) < 2;
  const { data, ...drawn } = await picture.draw((pipeline) =>
    pipeline.resize(width, height, { fit: hasShape ? "fill" : "inside" }),
  );
  const left = Math.floor((width - drawn.width) / 2);
  const top = Math.floor((height - drawn.height) / 2);
  const onBoard = await sharp(checkerboard(cell), { raw: { width, height, channels: 3 } })
    .composite([createPaintLayer(data, drawn, { left, top })])
    .ensureAlpha()
    .raw()
    .toBuffer();
  return createPaintLayer(onBoard, cell, cell);
}

function checkerboard({ width, height }: PictureDimensions): Buffer {
  const samples = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = shades[(Math.floor(x / square) + Math.floor(y / square)) % 2] ?? 255;
      samples.fill(shade, (y * width + x) * 3, (y * width + x + 1) * 3);
    }
  }
  return samples;
}

interface SheetLayout extends PictureDimensions {
  /** In the order of the pictures. */
  readonly cells: readonly PictureBox[];
}

const gap = 8;

/** Even a very narrow picture gets a cell that can be seen. */
const longest = 4;
/** Small pictures are shown as they are, tiny ones larger. */
const leastHeight = 64;

/** Puts pictures in rows of equal width, each row of one height, on a sheet whose longer side is `side` at most. */
export function layOutSheet(pictures: readonly PictureDimensions[], side: number): SheetLayout {
  const rows = divideIntoRows(pictures);
  const most = Math.max(leastHeight, ...pictures.map(({ height }) => height));
  const heights = rows.map((row) => {
    const ratios = row.reduce((sum, ratio) => sum + ratio, 0);
    // As high as fills the width, but never higher than the pictures are.
    return Math.min(most, (side - gap * (row.length - 1)) / ratios);
  });
  const full = heights.reduce((sum, height) => sum + height, 0) + gap * (rows.length - 1);
  const scale = Math.min(1, (side - gap * (rows.length - 1)) / (full - gap * (rows.length - 1)));
  const scaled = heights.map((height) => Math.max(1, Math.floor(height * scale)));
  const widths = rows.map((row, at) =>
    row.map((ratio) => Math.max(1, Math.floor(ratio * (scaled[at] ?? 1)))),
  );
  const width = Math.max(...widths.map(totalWithGaps));
  const height = totalWithGaps(scaled);
  return { width, height, cells: place(widths, scaled, width) };
}

/** Two stand side by side, more in rows that are as even as can be. */
function divideIntoRows(pictures: readonly PictureDimensions[]): readonly (readonly number[])[] {
  const ratios = pictures.map(({ width, height }) =>
    Math.min(longest, Math.max(1 / longest, width / height)),
  );
  const count = ratios.length < 4 ? 1 : Math.round(Math.sqrt(ratios.length / 1.4));
  return Array.from({ length: count }, (_, row) =>
    ratios.slice(
      Math.round((row * ratios.length) / count),
      Math.round(((row + 1) * ratios.length) / count),
    ),
  );
}

function totalWithGaps(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0) + gap * (lengths.length - 1);
}

/** Rows that are not full stand in the middle. */
function place(
  widths: readonly (readonly number[])[],
  heights: readonly number[],
  sheetWidth: number,
): readonly PictureBox[] {
  let top = 0;
  return widths.flatMap((row, at) => {
    const height = heights[at] ?? 1;
    let left = Math.floor((sheetWidth - totalWithGaps(row)) / 2);
    const cells = row.map((width) => {
      const cell = { left, top, width, height };
      left += width + gap;
      return cell;
    });
    top += height + gap;
    return cells;
  });
}
