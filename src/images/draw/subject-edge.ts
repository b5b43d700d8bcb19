import type { Rgb } from "../cutout/ground.ts";
import { loadSharp } from "../sharp.ts";
import type { ThumbnailOptions } from "../types.ts";
import { growMask, type Mask, type PaintLayer, paintMask, softenMask } from "./paint.ts";

const white: Rgb = [255, 255, 255];

/** In shares of the thumbnail's height. */
const outlineShare = 0.014;
const glow = { rim: 0.006, reach: 0.045, core: 0.016 } as const;

/** What is drawn around a subject, from the lowest layer up; `alpha` has the size of the thumbnail. */
export async function drawSubjectEdge(
  alpha: Mask,
  edge: NonNullable<ThumbnailOptions["edge"]>,
  glowColor: Rgb,
): Promise<readonly PaintLayer[]> {
  const sharp = await loadSharp();
  const corner = { left: 0, top: 0 };
  if (edge === "outline") {
    const rim = await growMask(sharp, alpha, alpha.height * outlineShare);
    return [paintMask(rim, { color: white }, corner)];
  }
  const rim = await growMask(sharp, alpha, alpha.height * glow.rim);
  const wide = await softenMask(sharp, rim, alpha.height * glow.reach);
  const core = await softenMask(sharp, rim, alpha.height * glow.core);
  return [
    paintMask(wide, { color: glowColor }, corner),
    paintMask(core, { color: glowColor }, corner),
    paintMask(rim, { color: white, opacity: 0.85 }, corner),
  ];
}
