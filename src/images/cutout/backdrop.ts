import { openPicture } from "../files/open-picture.ts";
import { pictureErrors } from "../picture-errors.ts";
import { asBuffer, type PictureDimensions } from "../size.ts";
import type { CutoutBackdrop } from "../types.ts";
import { blurBackdrop, type UncutPicture } from "./blurred-backdrop.ts";
import { splitAlpha } from "./cutout.ts";
import {
  createGradientGround,
  createPlainGround,
  createSamplesGround,
  type Ground,
  type Rgb,
} from "./ground.ts";

const colorPattern = /^#[0-9a-f]{6}$/i;

/**
 * Opens a backdrop of exactly this size, to be read row by row. `blur` needs the picture it comes from.
 * @throws InputError `picture_background` for a colour, `picture_no_background` for a blur without that picture, and
 * the errors of `openPicture`
 */
export async function openBackdrop(
  backdrop: CutoutBackdrop,
  size: PictureDimensions,
  scene?: UncutPicture,
): Promise<Ground> {
  switch (backdrop.kind) {
    case "color":
      return createPlainGround(parseHexColor(backdrop.color), size);
    case "gradient": {
      const [from, to] = [parseHexColor(backdrop.from), parseHexColor(backdrop.to)];
      return createGradientGround(from, to, backdrop.angle ?? 90, size);
    }
    case "picture": {
      const picture = await openPicture(asBuffer(backdrop.bytes));
      const { data } = await picture.draw((pipeline) =>
        pipeline.resize({ ...size, fit: "cover" }).flatten({ background: "#ffffff" }),
      );
      return createSamplesGround(splitAlpha(data).rgb, size);
    }
    case "blur":
      if (!scene) throw pictureErrors.noBackground();
      return blurBackdrop(scene, size, backdrop);
  }
}

/** A backdrop of exactly this size as RGB samples. */
export async function drawBackdrop(
  backdrop: Exclude<CutoutBackdrop, { readonly kind: "blur" }>,
  size: PictureDimensions,
): Promise<Buffer> {
  const ground = await openBackdrop(backdrop, size);
  const rgb = Buffer.allocUnsafeSlow(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) rgb.set(ground.row(y), y * size.width * 3);
  return rgb;
}

/** Must be called before anything is decoded. @throws InputError `picture_background` */
export function checkColors(backdrop: CutoutBackdrop): void {
  if (backdrop.kind === "color") parseHexColor(backdrop.color);
  if (backdrop.kind === "gradient")
    for (const end of [backdrop.from, backdrop.to]) parseHexColor(end);
}

/** `#rrggbb` as samples. */
export function parseHexColor(color: string): Rgb {
  if (!colorPattern.test(color)) throw pictureErrors.background(color);
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function formatHexColor(color: Rgb): string {
  return `#${color.map((sample) => sample.toString(16).padStart(2, "0")).join("")}`;
}
