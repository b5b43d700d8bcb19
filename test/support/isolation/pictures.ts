import { zipSync } from "fflate";
import sharp from "sharp";

export type Pictures = Awaited<ReturnType<typeof smallPictures>>;

const side = 64;

/** Small enough that thousands of them take no time. */
export async function smallPictures() {
  const create = { width: side, height: side, channels: 3 as const, background: "#a40" };
  const png = await sharp({ create }).png().toBuffer();
  const color = await sharp({ create }).jpeg().toBuffer();
  const alpha = await sharp(disc(), { raw: { width: side, height: side, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
  const zip = zipSync({ "color.jpg": [color, { level: 0 }], "alpha.png": [alpha, { level: 0 }] });
  return {
    /** The picture that people attach. */
    png,
    /** The cut-out that remove.bg makes of it. */
    zip: Buffer.from(zip),
  };
}

/** A white disc on black, one byte for each pixel. */
function disc(): Buffer {
  const middle = (side - 1) / 2;
  const pixels = Array.from({ length: side * side }, (_, at) => {
    const distance = Math.hypot((at % side) - middle, Math.floor(at / side) - middle);
    return distance < 0.4 * side ? 255 : 0;
  });
  return Buffer.from(pixels);
}
