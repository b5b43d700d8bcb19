import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import { createCanvas, fillMask, fillRect } from "./canvas.ts";
import { openLettering } from "./lettering.ts";
import { createPaintLayer, type PaintLayer } from "./paint.ts";

/** In shares of the height of the picture. */
const sideShare = 0.12;
const marginShare = 0.02;

/** A number on a dark disc in the upper left corner, above a title, to name one of several pictures. */
export async function drawNumber(
  number: number,
  { height }: PictureDimensions,
): Promise<readonly PaintLayer[]> {
  const side = Math.round(height * sideShare);
  const spot = Math.round(height * marginShare);
  const canvas = createCanvas(side, side);
  const whole = { left: 0, top: 0, width: side, height: side };
  const inner = { left: 3, top: 3, width: side - 6, height: side - 6 };
  fillRect(canvas, whole, [255, 255, 255], { radius: side / 2 });
  fillRect(canvas, inner, [20, 21, 24], { radius: side / 2 });
  const { draw } = await openLettering();
  const digits = await draw(await loadSharp(), [`${number}`], { size: side * 0.6 });
  if (digits) {
    const at = { left: (side - digits.width) / 2, top: (side - digits.height) / 2 };
    fillMask(canvas, digits, at, [255, 255, 255]);
  }
  const place = { left: spot, top: spot };
  return [createPaintLayer(canvas.data, { width: side, height: side }, place)];
}
