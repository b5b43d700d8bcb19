import { openPicture } from "../files/open-picture.ts";
import { refusal } from "../refusal.ts";
import { asBuffer, type Size } from "../size.ts";
import type { Backdrop } from "../types.ts";
import { type Ground, gradientGround, plainGround, type Rgb, samplesGround } from "./ground.ts";
import { outOfFocus } from "./out-of-focus.ts";
import { part } from "./transparent.ts";

/** A picture that still shows what was behind its subject. */
export interface Scene {
  readonly rgb: Buffer;
  readonly alpha: Buffer;
}

const colorPattern = /^#[0-9a-f]{6}$/i;

/**
 * Makes a backdrop of exactly this size ready to be read row by row. `blur` needs the scene it comes from.
 * @throws InputError `picture_background` for a colour, `picture_no_background` for a blur without a scene, and the
 * refusals of a picture
 */
export async function openBackdrop(backdrop: Backdrop, size: Size, scene?: Scene): Promise<Ground> {
  switch (backdrop.kind) {
    case "color":
      return plainGround(rgbOf(backdrop.color), size);
    case "gradient": {
      const [from, to] = [rgbOf(backdrop.from), rgbOf(backdrop.to)];
      return gradientGround(from, to, backdrop.angle ?? 90, size);
    }
    case "picture":
      return samplesGround(await cover(backdrop.bytes, size), size);
    case "blur":
      if (!scene) throw refusal.noBackground();
      return outOfFocus(scene, size, backdrop.strength);
  }
}

/** A backdrop of exactly this size as RGB samples. */
export async function drawBackdrop(
  backdrop: Exclude<Backdrop, { readonly kind: "blur" }>,
  size: Size,
): Promise<Buffer> {
  const ground = await openBackdrop(backdrop, size);
  const rgb = Buffer.allocUnsafeSlow(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) rgb.set(ground.row(y), y * size.width * 3);
  return rgb;
}

/** Refused before anything is decoded. */
export function checkColors(backdrop: Backdrop): void {
  if (backdrop.kind === "color") rgbOf(backdrop.color);
  if (backdrop.kind === "gradient") for (const end of [backdrop.from, backdrop.to]) rgbOf(end);
}

/** `#rrggbb` as samples. */
export function rgbOf(color: string): Rgb {
  if (!colorPattern.test(color)) throw refusal.background(color);
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Covers the whole place; what is transparent in it shows white. */
async function cover(given: Uint8Array, { width, height }: Size): Promise<Buffer> {
  const picture = await openPicture(asBuffer(given));
  const { data } = await picture.draw((pipeline) =>
    pipeline.resize(width, height, { fit: "cover" }).flatten({ background: "#ffffff" }),
  );
  return part(data).rgb;
}
