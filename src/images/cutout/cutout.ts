import { isSrgbProfile } from "../files/color-profile.ts";
import { isInputFormat, pictureFormats } from "../files/formats.ts";
import { openPicture } from "../files/open-picture.ts";
import { readPngHeader } from "../files/png.ts";
import { sniffFormat } from "../files/sniff.ts";
import { formatMegapixels, maxPixels } from "../limits.ts";
import { asDamagedCutout, createDamagedError, pictureErrors } from "../picture-errors.ts";
import { loadSharp, type Sharp, untrustedOptions } from "../sharp.ts";
import type { PictureDimensions } from "../size.ts";
import type { PictureBox } from "../types.ts";
import { peekAlphaPixels, unzipCutout } from "./zip.ts";

/** Encoded bytes, or raw samples when `raw` says how they lie. */
export interface Plane {
  readonly data: Buffer;
  readonly raw?: PictureDimensions & { readonly channels: 1 | 3 | 4 };
}

/** A checked cut-out, from a ZIP or from one picture. */
export interface CutoutPlanes extends PictureDimensions {
  readonly color: Plane;
  /** One 8-bit channel, 255 is foreground: taken as it is. */
  readonly alpha: Plane;
  /** The part of `color` that the alpha covers; all of it when absent. */
  readonly region?: PictureBox;
  /** Whether the colours still show what the alpha hides. */
  readonly hasBackground: boolean;
  /** The colours' ICC profile, if they came with one. */
  readonly profile: Buffer | undefined;
  /** Whether the pixels are sRGB as they are. */
  readonly isStandard: boolean;
}

/** Colour types of PNGs: https://www.w3.org/TR/png-3/#11IHDR */
const grey = 0;
const trueColor = 2;

/**
 * Opens remove.bg's ZIP, or a picture with transparency.
 * @throws ServiceError `cutout_damaged` for a ZIP; InputError `picture_opaque` and the errors of `openPicture` for a picture
 */
export async function openCutout(bytes: Buffer): Promise<CutoutPlanes> {
  const found = sniffFormat(bytes);
  if (found === "jpeg") throw pictureErrors.opaque();
  if (isInputFormat(found)) return openTransparent(bytes);
  if (otherPictures.includes(found)) throw pictureErrors.type(found);
  return asDamagedCutout(() => openZip(bytes));
}

/** Formats that remove.bg never sends: then the file is not damaged, but somebody chose the wrong one. */
const otherPictures: readonly string[] = ["bmp", "ico", "jxl", "jp2", "psd", "svg"];

/** Refuses whatever does not fit together, before a pixel is decoded. */
async function openZip(zip: Buffer): Promise<CutoutPlanes> {
  const { color, alpha } = await unzipCutout(zip);
  const size = readSize("color.jpg", color);
  const other = readSize("alpha.png", alpha);
  if (size.width !== other.width || size.height !== other.height) {
    throw createDamagedError(
      `color.jpg is ${size.width} x ${size.height}, alpha.png ${other.width} x ${other.height}`,
    );
  }
  // The memory of this job was estimated by the first alpha.png.
  if ((peekAlphaPixels(zip) ?? maxPixels) < size.width * size.height) {
    throw createDamagedError("a second alpha.png lies in it");
  }
  const sharp = await loadSharp();
  const { icc, space } = await sharp(color, untrustedOptions).metadata();
  const isRgb = space === "srgb";
  // Grey or CMYK colours need not be fast, because remove.bg sends RGB.
  const converted = sharp(color, untrustedOptions).toColourspace("srgb").removeAlpha().raw();
  return {
    ...size,
    color: isRgb
      ? { data: color }
      : { data: await converted.toBuffer(), raw: { ...size, channels: 3 } },
    alpha: await greyPlane(sharp, alpha, size),
    hasBackground: true,
    profile: isRgb ? icc : undefined,
    isStandard: !(isRgb && icc) || isSrgbProfile(icc),
  };
}

function readSize(name: "color.jpg" | "alpha.png", bytes: Buffer): PictureDimensions {
  const format = name === "color.jpg" ? "jpeg" : "png";
  const found = sniffFormat(bytes);
  if (found !== format) throw createDamagedError(`${name} is not what its name says but ${found}`);
  const anatomy = pictureFormats[format].writable.read(bytes);
  if (!anatomy?.isComplete) throw createDamagedError(`${name} is cut off`);
  const { width, height } = anatomy;
  if (width * height > maxPixels) {
    throw createDamagedError(
      `${name} has ${formatMegapixels(width * height)}, at most ${formatMegapixels(maxPixels)} are read`,
    );
  }
  if (width * height === 0) throw createDamagedError(`${name} has no pixels`);
  return { width, height };
}

/** remove.bg sends 8-bit grey; RGB with three equal channels is grey too. Anything else would be a guess. */
async function greyPlane(sharp: Sharp, alpha: Buffer, size: PictureDimensions): Promise<Plane> {
  const { hasAlpha } = await sharp(alpha, untrustedOptions).metadata();
  const { bits = 0, colorType } = readPngHeader(alpha) ?? {};
  if (bits > 8) throw createDamagedError(`alpha.png has ${bits} bits, 8 are expected`);
  if (hasAlpha) throw createDamagedError("alpha.png is transparent itself");
  if (colorType === grey) return { data: alpha };
  if (colorType !== trueColor) throw createDamagedError("alpha.png is not grey");
  const rgb = await sharp(alpha, { ...untrustedOptions, ignoreIcc: true })
    .raw()
    .toBuffer();
  const data = Buffer.allocUnsafeSlow(size.width * size.height);
  for (let i = 0, at = 0; i < data.length; i++, at += 3) {
    const value = rgb[at] ?? 0;
    if (rgb[at + 1] !== value || rgb[at + 2] !== value)
      throw createDamagedError("alpha.png is not grey");
    data[i] = value;
  }
  return { data, raw: { ...size, channels: 1 } };
}

/** Opens a picture with transparency, upright and in sRGB. */
async function openTransparent(bytes: Buffer): Promise<CutoutPlanes> {
  const picture = await openPicture(bytes);
  // The header of most opaque pictures says so, which spares decoding them.
  if (!(await picture.hasAlpha())) throw pictureErrors.opaque();
  const { data, width, height } = await picture.draw((pipeline) => pipeline);
  const { rgb, alpha } = splitAlpha(data);
  if (alpha.every((value) => value === 255)) throw pictureErrors.opaque();
  return {
    width,
    height,
    color: { data: rgb, raw: { width, height, channels: 3 } },
    alpha: { data: alpha, raw: { width, height, channels: 1 } },
    hasBackground: false,
    profile: undefined,
    isStandard: true,
  };
}

/** Separates colours from alpha. The colours stay in the memory they came in, because there may be 200 MB of them. */
export function splitAlpha(rgba: Buffer): { readonly rgb: Buffer; readonly alpha: Buffer } {
  const alpha = Buffer.allocUnsafeSlow(rgba.length / 4);
  for (let i = 0, from = 0, to = 0; i < alpha.length; i++, from += 4, to += 3) {
    rgba[to] = rgba[from] ?? 0;
    rgba[to + 1] = rgba[from + 1] ?? 0;
    rgba[to + 2] = rgba[from + 2] ?? 0;
    alpha[i] = rgba[from + 3] ?? 0;
  }
  return { rgb: rgba.subarray(0, alpha.length * 3), alpha };
}
