/** Does one job of prepare.ts in a separate process and prints what it took: `node prepare-job.ts JOB FILE`. */
import { readFileSync } from "node:fs";
import { prepareForService } from "../../src/images/fit/prepare.ts";
import { loadSharp } from "../../src/images/sharp.ts";
import { type Cost, costOf } from "./cost.ts";

export interface PrepareCost extends Cost {
  readonly encodes: number;
}

const sharp = await loadSharp();
const limits = { maxBytes: 12e6, maxPixels: 50e6 };

const jobs: Readonly<Record<string, (photo: Buffer) => Promise<Buffer>>> = {
  own: async (photo) => (await prepareForService(photo, limits)).bytes,
  // One decode and one encode, whatever the result.
  floor: (photo) =>
    sharp(photo)
      .jpeg({ quality: 90, chromaSubsampling: "4:2:0", optimiseCoding: false })
      .toBuffer(),
  // From the best quality downwards, until the result fits.
  loop: async (photo) => {
    for (let quality = 100; ; quality -= 5) {
      const bytes = await sharp(photo).jpeg({ quality }).toBuffer();
      if (bytes.length <= limits.maxBytes) return bytes;
    }
  },
};

const [name = "", file = ""] = process.argv.slice(2);
const job = jobs[name];
if (!job) throw new Error(`no such job: ${name}`);
const photo = readFileSync(file);
await sharp(Buffer.alloc(300), { raw: { width: 10, height: 10, channels: 3 } })
  .jpeg()
  .toBuffer();

let encodes = 0;
const pipeline = sharp(Buffer.alloc(3), { raw: { width: 1, height: 1, channels: 3 } });
const { prototype } = pipeline.constructor as { prototype: typeof pipeline };
const { jpeg } = prototype;
prototype.jpeg = function counted(this: typeof pipeline, options) {
  encodes += 1;
  return jpeg.call(this, options);
};

const cost = await costOf(() => job(photo));
// `costOf` runs the job twice.
console.log(JSON.stringify({ ...cost, encodes: encodes / 2 } satisfies PrepareCost));
