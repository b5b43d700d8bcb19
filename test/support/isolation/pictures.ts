import { zipSync } from "fflate";
import sharp from "sharp";

export interface Pictures {
  /** What people attach. */
  readonly png: Buffer;
  /** What the image service makes of it. */
  readonly zip: Buffer;
}

const side = 64;

/** Small enough that thousands of them take no time. */
export async function smallPictures(): Promise<Pictures> {
  const create = { width: side, height: side, channels: 3 as const, background: "#a40" };
  const png = await sharp({ create }).png().toBuffer();
  const color = await sharp({ create }).jpeg().toBuffer();
  const disc = `<svg width="${side}" height="${side}"><rect width="100%" height="100%"/><circle cx="50%" cy="50%" r="40%" fill="#fff"/></svg>`;
  const alpha = await sharp(Buffer.from(disc))
    .extractChannel(0)
    .toColourspace("b-w")
    .png()
    .toBuffer();
  const zip = zipSync({ "color.jpg": [color, { level: 0 }], "alpha.png": [alpha, { level: 0 }] });
  return { png, zip: Buffer.from(zip) };
}
