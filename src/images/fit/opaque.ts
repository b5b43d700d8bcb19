import type { Metadata } from "sharp";
import type { Source } from "../files/anatomy.ts";
import { opening, type Sharp } from "../sharp.ts";

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
