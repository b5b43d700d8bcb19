import type { Anatomy } from "./anatomy.ts";
import { stripJpeg } from "./jpeg.ts";
import { stripPng } from "./png.ts";
import { type Sharp, untrusted } from "./sharp.ts";
import type { SentFormat } from "./types.ts";
import { stripWebp } from "./webp.ts";

export type Source = Anatomy & { readonly format: SentFormat };

/** Cuts out what pixels and colours do not need; the very same bytes when there is nothing of it. */
export function strip(bytes: Buffer, { format, extras }: Source): Buffer {
  if (extras.length === 0) return bytes;
  if (format === "jpeg") return stripJpeg(bytes, extras);
  return format === "png" ? stripPng(bytes) : stripWebp(bytes);
}

/** Reads every row at the smallest size the decoder offers, so that nothing is spent on a broken file. */
export async function proveReadable(sharp: Sharp, bytes: Buffer): Promise<void> {
  await sharp(bytes, { ...untrusted, ignoreIcc: true })
    .resize(64, 64, { fit: "fill" })
    .raw()
    .toBuffer();
}
