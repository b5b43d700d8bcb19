import { Worker } from "node:worker_threads";

type Reply = { readonly matte: Float32Array } | { readonly failure: string };

/** Runs the network, one picture at a time. */
export interface Segmenter {
  /** Takes planes of 3 x 320 x 320 floats, gives 320 x 320 values from 0 to 1. */
  run(picture: Float32Array): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The worker starts with the first picture, is started again after a crash and never keeps the process alive. */
export function createSegmenter(): Segmenter {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function started(): Worker {
    if (worker !== undefined) return worker;
    const fresh = new Worker(new URL("./segment-worker.ts", import.meta.url));
    fresh.unref();
    fresh.on("error", () => {});
    fresh.on("exit", () => {
      if (worker === fresh) worker = undefined;
    });
    worker = fresh;
    return fresh;
  }

  async function ask(picture: Float32Array): Promise<Float32Array> {
    if (isClosed) throw new Error("the segmenter is closed");
    const current = started();
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error("the segmentation worker ended"));
      current.once("exit", onExit);
      current.once("message", (reply: Reply) => {
        current.off("exit", onExit);
        if ("matte" in reply) resolve(reply.matte);
        else reject(new Error(reply.failure));
      });
      current.postMessage(picture);
    });
  }

  return {
    run(picture) {
      const result = last.then(() => ask(picture));
      last = result.catch(() => {});
      return result;
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
