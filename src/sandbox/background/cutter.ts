import { Worker } from "node:worker_threads";
import type { Made, Order } from "./make-cutout.ts";
import { type Complaint, Refusal } from "./refusals.ts";

/** What the worker answers to an order. */
export type Reply =
  | { readonly made: Made }
  | { readonly refused: readonly Complaint[] }
  | { readonly failure: string };

/** Does all picture work in a thread of its own, one picture at a time. */
export interface Cutter {
  /** Rejects with a Refusal when the picture is to blame. */
  cut(order: Order): Promise<Made>;
  close(): Promise<void>;
}

/** The worker starts with the first picture, is started again after a crash and never keeps the process alive. */
export function createCutter(): Cutter {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function started(): Worker {
    if (worker !== undefined) return worker;
    const fresh = new Worker(new URL("./cut-worker.ts", import.meta.url));
    fresh.unref();
    // Its end is what the waiting call hears of; the error alone would end the process.
    fresh.on("error", () => {});
    fresh.on("exit", () => {
      if (worker === fresh) worker = undefined;
    });
    worker = fresh;
    return fresh;
  }

  function ask(order: Order): Promise<Reply> {
    if (isClosed) throw new Error("the cutter is closed");
    const current = started();
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error("the cutting worker ended"));
      current.once("exit", onExit);
      current.once("message", (reply: Reply) => {
        current.off("exit", onExit);
        resolve(reply);
      });
      current.postMessage(order);
    });
  }

  return {
    async cut(order) {
      const asked = last.then(() => ask(order));
      last = asked.catch(() => {});
      const reply = await asked;
      if ("refused" in reply) throw new Refusal(400, reply.refused);
      if ("failure" in reply) throw new Error(reply.failure);
      return reply.made;
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
