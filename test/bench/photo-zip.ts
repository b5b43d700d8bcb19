import { zipSync } from "fflate";
import sharp from "sharp";

let made: Promise<{ readonly zip: Buffer; readonly tiny: Buffer }> | undefined;

/** A photo-like result of 10 megapixels as remove.bg sends it, and a small picture to request it with. */
export function photoZip() {
  made ??= make();
  return made;
}

const width = 4000;
const height = 2500;

async function make() {
  const noise = {
    create: {
      width: width / 8,
      height: Math.floor(height / 8),
      channels: 3 as const,
      background: "#777",
      noise: { type: "gaussian" as const, mean: 128, sigma: 40 },
    },
  };
  const color = await sharp(await sharp(noise).png().toBuffer())
    .resize(width, height, { fit: "fill" })
    .jpeg({ quality: 90 })
    .toBuffer();
  const disc = `<svg width="${width}" height="${height}"><rect width="100%" height="100%"/><ellipse cx="50%" cy="50%" rx="35%" ry="40%" fill="#fff"/></svg>`;
  const alpha = await sharp(Buffer.from(disc))
    .extractChannel(0)
    .toColourspace("b-w")
    .blur(3)
    .png()
    .toBuffer();
  const zip = zipSync({ "color.jpg": [color, { level: 0 }], "alpha.png": [alpha, { level: 0 }] });
  const tiny = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#a40" } })
    .png()
    .toBuffer();
  return { zip: Buffer.from(zip), tiny };
}
