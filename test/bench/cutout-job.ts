/** Cuts pictures out from attachment to file in a separate process: `cutout-job.ts WHO URL COUNT MEGAPIXELS`. */
import JSZip from "jszip";
import sharp from "sharp";
import { Pool } from "undici";
import { createBackgroundClient } from "../../src/background/index.ts";
import { createHttp } from "../../src/http/index.ts";
import { createImages } from "../../src/images/index.ts";
import { cpuWithChildren } from "./process-cpu.ts";

export interface RoadCost {
  /** CPU for one picture, worker processes included. */
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly bytes: number;
}

/** One way from an attachment's address to the file that is sent. */
interface Road {
  /** Returns the length of the result. */
  run(): Promise<number>;
  close(): Promise<unknown>;
}

const [who = "", url = "", count = "", megapixels = ""] = process.argv.slice(2);
const { host } = new URL(url);
const limits = { maxBytes: 12_000_000, maxPixels: 50_000_000 };
/** As many as a command works on at once. */
const atOnce = 3;

const roads: Readonly<Record<string, () => Promise<Road>>> = { own, floor, peer };

async function own(): Promise<Road> {
  const http = createHttp();
  const images = createImages();
  const client = createBackgroundClient({ baseUrl: `${url}/v1.0`, apiKey: "bench", http });
  return {
    run: async () => {
      const bytes = await http.download({
        url: `${url}/photo.jpg`,
        hosts: [host],
        maxBytes: 32 * 1024 * 1024,
      });
      const prepared = await images.prepare(bytes, limits);
      const { image } = await client.removeBackground({
        image: prepared.bytes,
        megapixels: Number(megapixels),
        size: "auto",
        format: "zip",
      });
      return (await images.compose(image, { format: "png" })).bytes.length;
    },
    close: () => Promise.all([images.close(), http.close()]),
  };
}

/** The same bytes over bare connections, both entries decoded and a finished picture encoded; nothing else. */
async function floor(): Promise<Road> {
  const pool = new Pool(url);
  const ask = async (method: "GET" | "POST", body: Buffer | null): Promise<Buffer> => {
    const answer = await pool.request({ method, path: "/photo.jpg", body });
    return Buffer.from(await answer.body.arrayBuffer());
  };
  const { color, alpha } = await entriesOf(await ask("POST", null));
  const { data, info } = await sharp(color, { ignoreIcc: true })
    .joinChannel(alpha)
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 0) data.fill(0, i, i + 3);
  const { width, height } = info;
  return {
    run: async () => {
      await ask("POST", await ask("GET", null));
      await sharp(color, { ignoreIcc: true }).raw().toBuffer();
      await sharp(alpha).toColourspace("b-w").raw().toBuffer();
      const picture = sharp(data, { raw: { width, height, channels: 4 } });
      return (await picture.png({ compressionLevel: 2, adaptiveFiltering: true }).toBuffer())
        .length;
    },
    close: () => pool.close(),
  };
}

/** The obvious way: fetch, a form, jszip, joinChannel, and sharp's own settings. */
async function peer(): Promise<Road> {
  return {
    run: async () => {
      const photo = await (await fetch(`${url}/photo.jpg`)).blob();
      const form = new FormData();
      form.append("image_file", photo, "photo.jpg");
      form.append("format", "zip");
      const answer = await fetch(`${url}/v1.0/removebg`, { method: "POST", body: form });
      const { color, alpha } = await entriesOf(Buffer.from(await answer.arrayBuffer()));
      return (await sharp(color).joinChannel(alpha).png().toBuffer()).length;
    },
    close: async () => undefined,
  };
}

async function entriesOf(zip: Buffer) {
  const entries = await JSZip.loadAsync(zip);
  const read = async (name: string) =>
    (await entries.file(name)?.async("nodebuffer")) ?? Buffer.alloc(0);
  return { color: await read("color.jpg"), alpha: await read("alpha.png") };
}

async function several(road: Road, wanted: number): Promise<number> {
  let left = wanted;
  let bytes = 0;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      bytes = await road.run();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return bytes;
}

const open = roads[who];
if (open === undefined) throw new Error(`no such road: ${who}`);
const road = await open();
// Workers start, code is compiled, and the client learns remove.bg's rate limit.
await several(road, atOnce);
const start = performance.now();
const before = cpuWithChildren();
const bytes = await several(road, Number(count));
const cpuMs = (cpuWithChildren() - before) / Number(count);
const perSecond = (Number(count) * 1000) / (performance.now() - start);
await road.close();
console.log(JSON.stringify({ cpuMs, perSecond, bytes } satisfies RoadCost));
