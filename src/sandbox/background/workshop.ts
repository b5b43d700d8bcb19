import { Worker } from "node:worker_threads";
import type { Made } from "./picture/make-cutout.ts";
import { Refusal } from "./refusals.ts";
import type { Body } from "./request/form.ts";
import type { Estimate, Improvement, Reply, Setup, Task } from "./tasks.ts";

/** Orders under way or waiting; each holds its picture. */
const maxOrders = 64;

/** Does everything that takes time in a thread of its own: bodies, pictures, base64. */
export interface Workshop {
  /**
   * Reads an order, lets `settle` decide on it, and makes it. Rejects with a Refusal when the request or the picture is
   * to blame, or with what `settle` threw.
   */
  remove<T extends Pick<Estimate, "size">>(
    body: Body,
    options: { readonly answer: "file" | "json"; settle(estimate: Estimate): T },
  ): Promise<{ readonly made: Made; readonly estimate: Estimate; readonly settled: T }>;
  improve(body: Body): Promise<Improvement>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(cause: Error): void;
}

/** The worker starts with the first order, is started again after a crash and never keeps the process alive. */
export function createWorkshop(setup: Setup): Workshop {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;

  async function ask(task: Task): Promise<Reply> {
    if (isClosed) throw new Error("the workshop is closed");
    worker ??= startWorker(setup, waiting, () => {
      worker = undefined;
    });
    const current = worker;
    const reply = await new Promise<Reply>((resolve, reject) => {
      waiting.set(task.id, { resolve, reject });
      current.postMessage(task, "body" in task ? transferable(task.body) : []);
    });
    if ("refused" in reply) throw new Refusal(400, reply.refused);
    if ("failure" in reply) throw new Error(reply.failure);
    return reply;
  }

  function nextId(): number {
    if (waiting.size >= maxOrders) {
      throw new Refusal(503, [{ title: "Too many requests at once" }], { "Retry-After": "5" });
    }
    lastId += 1;
    return lastId;
  }

  return {
    async remove(body, { answer, settle }) {
      const id = nextId();
      const { estimate } = (await ask({ id, kind: "read", body })) as { estimate: Estimate };
      const settled = attempt(
        () => settle(estimate),
        () => worker?.postMessage({ id, kind: "drop" } satisfies Task),
      );
      const { size } = settled;
      const { made } = (await ask({ id, kind: "make", size, answer })) as { made: Made };
      return { made, estimate, settled };
    },
    async improve(body) {
      const reply = await ask({ id: nextId(), kind: "improve", body });
      return (reply as { improvement: Improvement }).improvement;
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function startWorker(setup: Setup, waiting: Map<number, Waiting>, onExit: () => void): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: setup });
  worker.unref();
  worker.on("message", ({ id, ...reply }: Reply & { readonly id: number }) => {
    waiting.get(id)?.resolve(reply as Reply);
    waiting.delete(id);
  });
  // Its end is what the waiting orders hear of; the error alone would end the process.
  worker.on("error", () => {});
  worker.on("exit", () => {
    onExit();
    for (const { reject } of waiting.values()) reject(new Error("the worker ended"));
    waiting.clear();
  });
  return worker;
}

function attempt<T>(act: () => T, onFailure: () => void): T {
  try {
    return act();
  } catch (cause) {
    onFailure();
    throw cause;
  }
}

/** A body's memory is handed over where it is the body's alone. */
function transferable({ bytes: { buffer, byteLength } }: Body): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
