import { readParts } from "../files/anatomy.ts";
import { isStandard } from "../files/icc.ts";
import { readPngHeader } from "../files/png.ts";
import { sniff } from "../files/sniff.ts";
import { maxDecodedPixels, maxPixels, megapixels } from "../limits.ts";
import { damaged, orDamaged, refusal } from "../refusal.ts";
import { loadSharp, type Sharp, untrusted } from "../sharp.ts";
import type { Size } from "../size.ts";
import { openTransparent } from "./transparent.ts";
import { peekPixels, unzip } from "./zip.ts";

type Raw = { readonly width: number; readonly height: number; readonly channels: 1 | 3 | 4 };

/** Encoded bytes, or raw samples when `raw` says how they lie. */
export interface Plane {
  readonly data: Buffer;
  readonly raw?: Raw;
}

/** A checked cut-out, whichever way it came. */
export interface Cutout {
  readonly color: Plane;
  /** One 8-bit channel, 255 is foreground: taken as it is. */
  readonly alpha: Plane;
  readonly width: number;
  readonly height: number;
  /** Part of the colours that belongs to the alpha; all of them when absent. */
  readonly region?: Size & { readonly left: number; readonly top: number };
  /** Whether the colours still show what the alpha hides. */
  readonly hasBackground: boolean;
  /** The colours' ICC profile, if they came with one. */
  readonly profile: Buffer | undefined;
  /** Whether the pixels are sRGB as they are. */
  readonly isStandard: boolean;
}

/** Of PNGs: https://www.w3.org/TR/png-3/#11IHDR */
const grey = 0;
const trueColor = 2;

/**
 * Opens the service's ZIP, or a picture with transparency.
 * @throws ServiceError `cutout_damaged` for a ZIP; InputError `picture_opaque` and the other refusals for a picture
 */
export async function openCutout(bytes: Buffer): Promise<Cutout> {
  const found = sniff(bytes);
  if (found === "jpeg") throw refusal.opaque();
  if (found in maxDecodedPixels) return openTransparent(bytes);
  if (otherPictures.includes(found)) throw refusal.type(found);
  return orDamaged(() => openZip(bytes));
}

/** Not what the service sends, and not damaged either: somebody chose the wrong file. */
const otherPictures: readonly string[] = ["bmp", "ico", "jxl", "jp2", "psd", "svg"];

/** Refuses whatever does not fit together, before a pixel is decoded. */
async function openZip(zip: Buffer): Promise<Cutout> {
  const { color, alpha } = await unzip(zip);
  const size = sizeOf("color.jpg", color);
  const other = sizeOf("alpha.png", alpha);
  if (size.width !== other.width || size.height !== other.height) {
    throw damaged(
      `color.jpg is ${size.width} x ${size.height}, alpha.png ${other.width} x ${other.height}`,
    );
  }
  // The job was let in by what was seen first.
  if ((peekPixels(zip) ?? maxPixels) < size.width * size.height) {
    throw damaged("a second alpha.png lies in it");
  }
  const sharp = await loadSharp();
  const { icc, space } = await sharp(color, untrusted).metadata();
  const isRgb = space === "srgb";
  return {
    ...size,
    color: isRgb ? { data: color } : await toRgb(sharp, color, size),
    alpha: await greyPlane(sharp, alpha, size),
    hasBackground: true,
    profile: isRgb ? icc : undefined,
    isStandard: !(isRgb && icc) || isStandard(icc),
  };
}

function sizeOf(name: "color.jpg" | "alpha.png", bytes: Buffer): Size {
  const format = name === "color.jpg" ? "jpeg" : "png";
  const found = sniff(bytes);
  if (found !== format) throw damaged(`${name} is not what its name says but ${found}`);
  const anatomy = readParts(bytes, format);
  if (!anatomy?.isComplete) throw damaged(`${name} is cut off`);
  const { width, height } = anatomy;
  if (width * height > maxPixels) {
    throw damaged(
      `${name} has ${megapixels(width * height)}, at most ${megapixels(maxPixels)} are read`,
    );
  }
  if (width * height === 0) throw damaged(`${name} has no pixels`);
  return { width, height };
}

/** Grey or CMYK colours; the service sends RGB, so this is not the road to be fast on. */
async function toRgb(sharp: Sharp, color: Buffer, size: Size): Promise<Plane> {
  const data = await sharp(color, untrusted).toColourspace("srgb").removeAlpha().raw().toBuffer();
  return { data, raw: { ...size, channels: 3 } };
}

/** The service sends 8-bit grey; RGB with three equal channels is grey too. All else would have to be guessed. */
async function greyPlane(sharp: Sharp, alpha: Buffer, size: Size): Promise<Plane> {
  const { hasAlpha } = await sharp(alpha, untrusted).metadata();
  const { bits = 0, colorType } = readPngHeader(alpha) ?? {};
  if (bits > 8) throw damaged(`alpha.png has ${bits} bits, 8 are expected`);
  if (hasAlpha) throw damaged("alpha.png is transparent itself");
  if (colorType === grey) return { data: alpha };
  if (colorType !== trueColor) throw damaged("alpha.png is not grey");
  const rgb = await sharp(alpha, { ...untrusted, ignoreIcc: true })
    .raw()
    .toBuffer();
  const data = Buffer.allocUnsafeSlow(size.width * size.height);
  for (let i = 0, at = 0; i < data.length; i++, at += 3) {
    const value = rgb[at] ?? 0;
    if (rgb[at + 1] !== value || rgb[at + 2] !== value) throw damaged("alpha.png is not grey");
    data[i] = value;
  }
  return { data, raw: { ...size, channels: 1 } };
}
