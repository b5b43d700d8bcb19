/** Writes one input of compose.ts, in a separate process: `node compose-input.ts KIND FILE`. */
import { writeFileSync } from "node:fs";
import { zipSync } from "fflate";
import sharp from "sharp";
import { grain } from "./grain.ts";

const seed = 7;

/** Photo-like RGB: large soft shapes under fine grain. */
async function photo(width: number, height: number) {
  const coarse = {
    width: Math.ceil(width / 10),
    height: Math.ceil(height / 10),
    channels: 3,
  } as const;
  const shapes = grain(coarse.width * coarse.height * 3, seed);
  const data = await sharp(shapes, { raw: coarse })
    .resize(width, height, { kernel: "cubic", fit: "fill" })
    .raw()
    .toBuffer();
  const fine = grain(data.length, seed + 1);
  for (let i = 0; i < data.length; i++) {
    data[i] = Math.max(0, Math.min(255, (data[i] ?? 0) + (((fine[i] ?? 0) - 128) >> 5)));
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** A wavy oval of about two fifths of the picture, with an edge some pixels wide. */
async function matte(width: number, height: number): Promise<Buffer> {
  const small = { width: 400, height: Math.round((400 * height) / width), channels: 1 } as const;
  const data = Buffer.alloc(small.width * small.height);
  for (let i = 0; i < data.length; i++) {
    const x = i % small.width;
    const y = Math.floor(i / small.width);
    const away = Math.hypot((x / small.width - 0.5) / 0.36, (y / small.height - 0.5) / 0.42);
    const wave = 0.05 * Math.sin(x / 7) * Math.cos(y / 9);
    data[i] = Math.max(0, Math.min(255, (1 - away - wave) * 2_000 + 128));
  }
  const grown = await sharp(data, { raw: small })
    .resize(width, height, { kernel: "cubic", fit: "fill" })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return sharp(grown, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
}

/** A ZIP as remove.bg sends it: stored entries, JPEG q90 4:2:0 with an sRGB profile. */
async function cutout(width: number, height: number): Promise<Uint8Array> {
  const pixels = await photo(width, height);
  const color = await pixels.jpeg({ quality: 90 }).withIccProfile("srgb").toBuffer();
  const alpha = await matte(width, height);
  return zipSync({ "color.jpg": color, "alpha.png": alpha }, { level: 0 });
}

/** A JPEG as a camera makes it, EXIF included. */
async function camera(width: number, height: number, quality: number): Promise<Uint8Array> {
  const pipeline = (await photo(width, height)).jpeg({ quality });
  return pipeline.withExif({ IFD0: { Make: "bench" } }).toBuffer();
}

const kinds: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  "1mp": () => cutout(1_250, 800),
  "4mp": () => cutout(2_500, 1_600),
  "10mp": () => cutout(4_000, 2_500),
  "50mp": () => cutout(8_660, 5_773),
  "photo.1mp": () => camera(1_250, 800, 90),
  "photo.4mp": () => camera(2_500, 1_600, 90),
  "photo.10mp": () => camera(4_000, 2_500, 90),
  /** Under the 10 MB that people may attach, but over the megapixels that remove.bg accepts. */
  "photo.60mp": () => camera(9_000, 6_700, 60),
  /** About 17 MB. */
  "40mp": () => camera(7_300, 5_480, 96),
};

const [kind = "", file = ""] = process.argv.slice(2);
const make = kinds[kind];
if (!make) throw new Error(`no such input: ${kind}`);
writeFileSync(file, await make());
