import { opening, type Sharp } from "../sharp.ts";
import type { Source } from "./anatomy.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripPng } from "./png.ts";
import { stripWebp } from "./webp.ts";

/** Cuts out what pixels and colours do not need; the very same bytes when there is nothing of it. */
export function strip({ bytes, format, extras }: Source): Buffer {
  if (extras.length === 0) return bytes;
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
