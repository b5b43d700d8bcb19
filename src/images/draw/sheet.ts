import type { Box } from "../cutout/subject.ts";
import { type OpenPicture, openPicture } from "../files/open-picture.ts";
import { refusal } from "../refusal.ts";
import { loadSharp, type Sharp } from "../sharp.ts";
import type { Size } from "../size.ts";
import type { SheetOptions } from "../types.ts";
import { type Layer, layer } from "./paint.ts";
import { layOutSheet } from "./sheet-layout.ts";

const usualSide = 1200;
const leastSide = 64;

/** Of the checkerboard under what is transparent: readable as nothing on a light page and on a dark one. */
const square = 12;
const shades = [255, 222] as const;

/** Quality first, then pixels. */
const qualities = [82, 65, 45] as const;
const shrinking = 0.75;

/** Several pictures on one. */
export async function sheet(
  pictures: readonly Buffer[],
  { side = usualSide, maxBytes }: Omit<SheetOptions, "signal">,
): Promise<{ readonly bytes: Buffer }> {
  const opened: OpenPicture[] = [];
  for (const picture of pictures) opened.push(await openPicture(picture));
  let smallest = Number.POSITIVE_INFINITY;
  for (let longer = side; longer >= leastSide; longer = Math.floor(longer * shrinking)) {
    const drawn = await draw(opened, longer);
    for (const quality of qualities) {
      const bytes = await drawn.clone().webp({ quality, effort: 4 }).toBuffer();
      if (bytes.length <= maxBytes) return { bytes };
      smallest = Math.min(smallest, bytes.length);
    }
  }
  throw refusal.tooLarge(smallest, maxBytes);
}

/** One after the other, because each may be large while it is read. */
async function draw(pictures: readonly OpenPicture[], side: number) {
  const sharp = await loadSharp();
  const { width, height, cells } = layOutSheet(pictures, side);
  const layers: Layer[] = [];
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

/** The whole picture in the middle of its cell, on a checkerboard where it shows through. */
async function drawCell(sharp: Sharp, picture: OpenPicture, cell: Box): Promise<Layer> {
  const { width, height } = cell;
  const { data, ...drawn } = await picture.draw((pipeline) =>
    pipeline.resize(width, height, { fit: hasShape(picture, cell) ? "fill" : "inside" }),
  );
  const left = Math.floor((width - drawn.width) / 2);
  const top = Math.floor((height - drawn.height) / 2);
  const onBoard = await sharp(checkerboard(cell), { raw: { width, height, channels: 3 } })
    .composite([layer(data, drawn, { left, top })])
    .ensureAlpha()
    .raw()
    .toBuffer();
  return layer(onBoard, cell, cell);
}

/** But for a pixel of rounding, which must not show as an edge. */
function hasShape(picture: Size, cell: Size): boolean {
  return Math.abs((picture.width * cell.height) / picture.height - cell.width) < 2;
}

function checkerboard({ width, height }: Size): Buffer {
  const samples = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = shades[(Math.floor(x / square) + Math.floor(y / square)) % 2] ?? 255;
      samples.fill(shade, (y * width + x) * 3, (y * width + x + 1) * 3);
    }
  }
  return samples;
}
