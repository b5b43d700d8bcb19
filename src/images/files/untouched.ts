import { opening, type Sharp } from "../sharp.ts";
import { isSent, readParts, type Source } from "./anatomy.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripPng } from "./png.ts";
import { sniff } from "./sniff.ts";
import { stripWebp } from "./webp.ts";

/**
 * The file without what pixels and colours do not need: the very same bytes when there is nothing of it. Undefined where
 * what is left is no longer what it was, or where few readers would take it, so that it has to be written anew.
 */
export function strip(source: Source): Source | undefined {
  if (source.isRare) return undefined;
  if (source.extras.length === 0) return source;
  const bytes = stripped(source);
  const left = isSent(source.format) ? readParts(bytes, source.format) : undefined;
  const isSound = left?.isComplete && left.extras.length === 0 && sniff(bytes) === source.format;
  if (!isSound || left.width !== source.width || left.height !== source.height) return undefined;
  return { ...source, ...left, bytes };
}

function stripped({ bytes, format, extras }: Source): Buffer {
  if (format === "jpeg") return stripJpeg(bytes, extras);
  return format === "png" ? stripPng(bytes) : stripWebp(bytes);
}

/** Reads every row at the smallest size the decoder offers, so that nothing is spent on a broken file. */
export async function proveReadable(sharp: Sharp, source: Source): Promise<void> {
  await sharp(source.bytes, { ...opening(source), ignoreIcc: true })
    .resize(64, 64, { fit: "fill" })
    .raw()
    .toBuffer();
}
