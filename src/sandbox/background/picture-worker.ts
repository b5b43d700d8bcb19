import { Worker } from "node:worker_threads";
import { BackgroundError } from "./errors.ts";
import type { RequestBytes } from "./request/form.ts";
import type { BackgroundResultSize } from "./request/job.ts";
import type {
  PictureHandlers,
  PictureWorkerReply,
  PictureWorkerSetup,
  PictureWorkerTask,
} from "./worker.ts";

/** Orders under way or waiting; each holds its picture. */
const maxOrders = 64;

type HandlerResult<N extends keyof PictureHandlers> = Awaited<ReturnType<PictureHandlers[N]>>;

/** What an order is about, known before anything is made. */
export type CutoutEstimate = HandlerResult<"read">;

/** A picture that was handed over by POST /improve. */
export type ImprovementFile = HandlerResult<"improve">;

/** Does everything slow in a separate thread: parsing bodies, pictures, base64. */
export type PictureWorker = ReturnType<typeof createPictureWorker>;

interface SettleOptions<T> {
  readonly answer: "file" | "json";
  settle(estimate: CutoutEstimate): T;
}

/** The worker starts with the first order, is started again after a crash and never keeps the process alive. */
export function createPictureWorker(setup: PictureWorkerSetup) {
  const waiting = new Map<number, PromiseWithResolvers<PictureWorkerReply>>();
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), { workerData: setup });
    started.unref();
    started.on("message", (reply: PictureWorkerReply) => {
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
    });
    // Waiting orders are rejected on `exit`. Without this listener an error would end the process.
    started.on("error", () => {});
    started.on("exit", () => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("the worker ended"));
      waiting.clear();
    });
    return started;
  }

  async function ask<N extends keyof PictureHandlers>(
    id: number,
    name: N,
    input: Parameters<PictureHandlers[N]>[1],
  ): Promise<HandlerResult<N>> {
    if (isClosed) throw new Error("the picture worker is closed");
    worker ??= start();
    const answer = Promise.withResolvers<PictureWorkerReply>();
    waiting.set(id, answer);
    worker.postMessage({ id, name, input } satisfies PictureWorkerTask, transferable(input));
    const reply = await answer.promise;
    if ("refused" in reply) throw new BackgroundError(400, reply.refused);
    if ("failure" in reply) throw new Error(reply.failure);
    return reply.result as HandlerResult<N>;
  }

  function nextId(): number {
    if (waiting.size >= maxOrders) {
      throw new BackgroundError(503, [{ title: "Too many requests at once" }], {
        "Retry-After": "5",
      });
    }
    lastId += 1;
    return lastId;
  }

  return {
    /**
     * Reads an order, lets `settle` decide on it, and makes it. Rejects with a BackgroundError when the request or the picture is
     * to blame, or with what `settle` threw.
     */
    async remove<T extends { readonly size: BackgroundResultSize }>(
      body: RequestBytes,
      { answer, settle }: SettleOptions<T>,
    ) {
      const id = nextId();
      const estimate = await ask(id, "read", body);
      let settled: T;
      try {
        settled = settle(estimate);
      } catch (cause) {
        ask(id, "drop", undefined).catch(() => {});
        throw cause;
      }
      const made = await ask(id, "make", { size: settled.size, answer });
      return { made, estimate, settled };
    },
    improve: async (body: RequestBytes) => ask(nextId(), "improve", body),
    rembg: async (body: RequestBytes) => ask(nextId(), "rembg", body),
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

/** Transfers a body's memory instead of copying it, if nothing else uses that memory. */
function transferable(input: RequestBytes | object | undefined): ArrayBuffer[] {
  if (input === undefined || !("bytes" in input)) return [];
  const { buffer, byteLength } = input.bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
