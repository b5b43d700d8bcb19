/** Does one job of compose.ts in a separate process and prints what it took: `node compose-job.ts JOB FILE`. */
import { readFileSync } from "node:fs";
import type { Sharp } from "sharp";
import { compose } from "../../src/images/cutout/compose.ts";
import { unzipCutout } from "../../src/images/cutout/zip.ts";
import type { ComposeOptions } from "../../src/images/index.ts";
import { loadSharp } from "../../src/images/sharp.ts";
import { costOf } from "./cost.ts";

/** `prepare` runs before the clock starts; `run` gets its result. */
interface Job {
  readonly prepare?: (input: Buffer) => Promise<Joined>;
  readonly run: (input: Buffer, joined: Joined) => Promise<Buffer>;
}

interface Joined {
  readonly color: Buffer;
  readonly alpha: Buffer;
  readonly rgba: Buffer;
  readonly width: number;
  readonly height: number;
}

const sharp = await loadSharp();
const background = "#ff8800";
const png = { compressionLevel: 2, adaptiveFiltering: true } as const;
/** The default strength in out-of-focus.ts. */
const blurShare = 0.02;
const jpg = { quality: 90, chromaSubsampling: "4:2:0", optimiseCoding: false } as const;

const ours = (options: ComposeOptions): Job => ({
  run: async (zip) => (await compose(zip, options)).bytes,
});
const ground = { kind: "color", color: background } as const;

/** The cut-out, decoded and joined, with its transparent pixels cleared. */
async function joined(zip: Buffer): Promise<Joined> {
  const { color, alpha } = await unzipCutout(zip);
  const { bytes } = await compose(zip, { format: "webp" });
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const rgb = await sharp(color, { ignoreIcc: true }).joinChannel(alpha).raw().toBuffer();
  for (let i = 0; i < rgb.length; i += 4) if (rgb[i + 3] === 0) rgb.fill(0, i, i + 3);
  return { color, alpha, rgba: rgb, width, height };
}

const fromRgba = ({ rgba, width, height }: Joined) =>
  sharp(rgba, { raw: { width, height, channels: 4 } });

/** Both entries are decoded and the colours encoded, with nothing done in between. */
const decodeAndEncode = (encode: (pipeline: Sharp) => Sharp): Job => ({
  prepare: joined,
  run: async (zip, { width, height }) => {
    const { color, alpha } = await unzipCutout(zip);
    const rgb = await sharp(color, { ignoreIcc: true }).raw().toBuffer();
    await sharp(alpha).toColourspace("b-w").raw().toBuffer();
    return encode(sharp(rgb, { raw: { width, height, channels: 3 } })).toBuffer();
  },
});

/** The cut-out as a layer on the background, entirely by sharp. */
async function layer(zip: Buffer) {
  const { color, alpha } = await unzipCutout(zip);
  const input = await sharp(color).joinChannel(alpha).png({ compressionLevel: 0 }).toBuffer();
  const { width = 1, height = 1 } = await sharp(color).metadata();
  const canvas = () => sharp({ create: { width, height, channels: 3, background } });
  return { color, canvas, over: [{ input }], long: Math.max(width, height) };
}

const jobs: Readonly<Record<string, Job>> = {
  png: ours({ format: "png" }),
  webp: ours({ format: "webp" }),
  jpg: ours({ format: "jpg", backdrop: ground }),
  ground: ours({ format: "png", backdrop: ground }),
  blur: ours({ format: "jpg", backdrop: { kind: "blur" } }),
  "png.floor": {
    prepare: joined,
    run: (_, all) => fromRgba(all).png(png).toBuffer(),
  },
  "webp.floor": {
    prepare: joined,
    run: (_, all) => fromRgba(all).webp({ quality: 80, effort: 2, alphaQuality: 90 }).toBuffer(),
  },
  "jpg.floor": decodeAndEncode((pipeline) => pipeline.jpeg(jpg)),
  "blur.floor": decodeAndEncode((pipeline) => pipeline.jpeg(jpg)),
  "ground.floor": {
    prepare: async (zip) => {
      const all = await joined(zip);
      const rgba = await fromRgba(all).flatten({ background }).raw().toBuffer();
      return { ...all, rgba };
    },
    run: (_, { rgba, width, height }) =>
      sharp(rgba, { raw: { width, height, channels: 3 } })
        .png(png)
        .toBuffer(),
  },
  "png.peer": {
    run: async (zip) => {
      const { color, alpha } = await unzipCutout(zip);
      return sharp(color).joinChannel(alpha).png().toBuffer();
    },
  },
  "webp.peer": {
    run: async (zip) => {
      const { color, alpha } = await unzipCutout(zip);
      return sharp(color).joinChannel(alpha).webp().toBuffer();
    },
  },
  "jpg.peer": {
    run: async (zip) => {
      const { canvas, over } = await layer(zip);
      return canvas().composite(over).jpeg({ quality: 90 }).toBuffer();
    },
  },
  "ground.peer": {
    run: async (zip) => {
      const { canvas, over } = await layer(zip);
      return canvas().composite(over).png().toBuffer();
    },
  },
  "blur.peer": {
    run: async (zip) => {
      const { color, over, long } = await layer(zip);
      return sharp(color)
        .blur(long * blurShare)
        .composite(over)
        .jpeg({ quality: 90 })
        .toBuffer();
    },
  },
};

const [name = "", file = ""] = process.argv.slice(2);
const job = jobs[name];
if (!job) throw new Error(`no such job: ${name}`);
const input = readFileSync(file);
const nothing = { color: input, alpha: input, rgba: input, width: 0, height: 0 };
const made = job.prepare ? await job.prepare(input) : nothing;
await sharp(Buffer.alloc(300), { raw: { width: 10, height: 10, channels: 3 } })
  .webp()
  .toBuffer();

console.log(JSON.stringify(await costOf(() => job.run(input, made))));
