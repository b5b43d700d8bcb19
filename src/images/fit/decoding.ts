import type { Metadata } from "sharp";
import { type Source, upright } from "../files/anatomy.ts";
import { maxProfileBytes } from "../limits.ts";
import { loadSharp, opening, type Sharp } from "../sharp.ts";

const blockBytes = 64 * 1024;

/** Whether nothing shows through: many a screenshot or GIF has an alpha channel and no use for it. */
export async function isOpaque(
  sharp: Sharp,
  source: Source,
  { hasAlpha }: Pick<Metadata, "hasAlpha">,
): Promise<boolean> {
  if (!hasAlpha) return true;
  const alpha = await sharp(source.bytes, { ...opening(source), ignoreIcc: true })
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
 * Whether colours may stay as they are. Ink colours are for print, and many viewers show them wrong; a profile of many
 * megabytes is ballast at best.
 */
export function keepsProfile({ space, icc }: Pick<Metadata, "space" | "icc">): boolean {
  return space !== "cmyk" && (icc?.length ?? 0) <= maxProfileBytes;
}

/** Decoders that take a second or more, where the rest of the work reads a picture several times. */
const isSlow = ({ format, isLossless = false }: Source) =>
  format === "avif" || format === "heic" || isLossless;

/** The same picture upright as a file that is read in no time: its pixels and its profile. */
export async function decodedOnce(source: Source): Promise<Source> {
  if (!isSlow(source)) return source;
  const sharp = await loadSharp();
  const pipeline = sharp(source.bytes, opening(source)).autoOrient().keepIccProfile();
  const bytes = await pipeline.png({ compressionLevel: 0, adaptiveFiltering: false }).toBuffer();
  return { ...source, ...upright(source), orientation: 1, bytes };
}
