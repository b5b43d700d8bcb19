import { loadSharp } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { Lettering } from "./lettering.ts";
import { createPaintLayer, type PaintLayer } from "./paint.ts";

/** Text for an SVG or for Pango's markup. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/gu, (letter) => `&#${letter.charCodeAt(0)};`);
}

const svgLoader = { operation: ["VipsForeignLoadSvgBuffer"] };
let drawings = 0;

/**
 * Draws elements of an SVG. Other people's text in them must be escaped. The decoder is open only meanwhile, because
 * no file of other people may reach it.
 */
export async function drawSvg(
  { width, height }: PictureDimensions,
  elements: readonly string[],
  lettering?: Lettering,
): Promise<PaintLayer> {
  const font = lettering ? ` font-family="${lettering.families}"` : "";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"${font}>${elements.join("")}</svg>`;
  const sharp = await loadSharp();
  if (drawings++ === 0) sharp.unblock(svgLoader);
  try {
    const samples = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
    return createPaintLayer(samples, { width, height }, { left: 0, top: 0 });
  } finally {
    if (--drawings === 0) sharp.block(svgLoader);
  }
}
