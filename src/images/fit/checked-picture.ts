import type { Metadata } from "sharp";
import type { CheckedPicture } from "../files/check-picture.ts";
import { formatFacts } from "../files/formats.ts";
import { uprightSize } from "../files/picture-structure.ts";
import { sniffFormat } from "../files/sniff.ts";
import { maxProfileBytes } from "../limits.ts";
import { loadSharp, type Sharp, sharpOptionsFor } from "../sharp.ts";

const blockBytes = 64 * 1024;

/** Whether nothing is transparent: many screenshots and GIFs have an alpha channel that they do not use. */
export async function isOpaque(
  sharp: Sharp,
  source: CheckedPicture,
  { hasAlpha }: Pick<Metadata, "hasAlpha">,
): Promise<boolean> {
  if (!hasAlpha) return true;
  const alpha = await sharp(source.bytes, { ...sharpOptionsFor(source), ignoreIcc: true })
    .extractChannel("alpha")
    .raw()
    .toBuffer();
  return isSolid(alpha);
}

/** Compares whole blocks, many times faster than sample by sample. */
function isSolid(alpha: Buffer): boolean {
  const solid = Buffer.alloc(Math.min(alpha.length, blockBytes), 255);
  for (let at = 0; at < alpha.length; at += blockBytes) {
    const block = alpha.subarray(at, at + blockBytes);
    if (!block.equals(solid.subarray(0, block.length))) return false;
  }
  return true;
}

/**
 * Whether the colours can keep their profile. Ink colours are for print, and many viewers show them wrong; a profile of many
 * megabytes is useless.
 */
export function keepsProfile({ space, icc }: Pick<Metadata, "space" | "icc">): boolean {
  return space !== "cmyk" && (icc?.length ?? 0) <= maxProfileBytes;
}

export function isLossless({ format, isLossless: isWebpLossless }: CheckedPicture): boolean {
  return formatFacts(format).isLossless === true || isWebpLossless === true;
}

/** The same picture as an upright file that is decoded quickly: its pixels and its profile. */
export async function decodeOnce(source: CheckedPicture): Promise<CheckedPicture> {
  if (!formatFacts(source.format).isSlow && !source.isLossless) return source;
  const sharp = await loadSharp();
  const pipeline = sharp(source.bytes, sharpOptionsFor(source)).autoOrient().keepIccProfile();
  const bytes = await pipeline.png({ compressionLevel: 0, adaptiveFiltering: false }).toBuffer();
  return { ...source, ...uprightSize(source), orientation: 1, bytes };
}

/**
 * The file without metadata: the very same bytes when it has none. Undefined if what is left is no longer the same
 * picture, or where few programs would read it, so that it has to be encoded again.
 */
export function stripMetadata(source: CheckedPicture): CheckedPicture | undefined {
  if (source.isRare) return undefined;
  if (source.extras.length === 0) return source;
  const { writable } = formatFacts(source.format);
  const bytes = writable?.strip(source.bytes, source.extras) ?? source.bytes;
  const left = writable?.read(bytes);
  const isSound =
    left?.isComplete && left.extras.length === 0 && sniffFormat(bytes) === source.format;
  if (!isSound || left.width !== source.width || left.height !== source.height) return undefined;
  return { ...source, ...left, bytes };
}

/** A fiftieth of the pixels: rounded corners are more, antialiased edges less. */
const clearEnough = 1 / 50;
/** A pixel of this alpha or less can be seen through. */
const halfClear = 128;
/** A frame of this share of the shorter side, and at least these pixels, does not count. */
const rim = { share: 1 / 50, pixels: 2 } as const;
/** As many samples as it takes to tell; a large picture is looked at in steps. */
const maxSide = 512;

/**
 * Whether a picture has no background to remove: at least a fiftieth of it can be seen through, not counting a narrow rim.
 * An alpha channel that hides nothing, or a few clear pixels at an edge, are not enough.
 */
export async function isAlreadyCutOut(
  sharp: Sharp,
  source: CheckedPicture,
  { hasAlpha }: Pick<Metadata, "hasAlpha">,
): Promise<boolean> {
  if (!hasAlpha) return false;
  const { data, info } = await sharp(source.bytes, { ...sharpOptionsFor(source), ignoreIcc: true })
    .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true, kernel: "nearest" })
    .extractChannel("alpha")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const frame = Math.max(rim.pixels, Math.round(Math.min(width, height) * rim.share));
  const [across, down] = [width - 2 * frame, height - 2 * frame];
  if (across < 1 || down < 1) return false;
  let clear = 0;
  for (let y = frame; y < height - frame; y++) {
    for (let x = frame; x < width - frame; x++) {
      if ((data[y * width + x] ?? 0) <= halfClear) clear++;
    }
  }
  return clear >= across * down * clearEnough;
}
