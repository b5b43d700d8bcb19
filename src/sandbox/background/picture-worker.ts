import { Worker } from "node:worker_threads";
import type { CutoutFile } from "./picture/make-cutout.ts";
import { BackgroundRefusal, type Complaint } from "./refusals.ts";
import type { RequestBytes } from "./request/form.ts";
import type { PictureIntake } from "./request/input.ts";
import type { BackgroundResultSize } from "./request/job.ts";

/** Orders under way or waiting; each holds its picture. */
const maxOrders = 64;

/** Does everything slow in a separate thread: parsing bodies, pictures, base64. */
export interface PictureWorker {
  /**
   * Reads an order, lets `settle` decide on it, and makes it. Rejects with a Refusal when the request or the picture is
   * to blame, or with what `settle` threw.
   */
  remove<T extends Pick<CutoutEstimate, "size">>(
    body: RequestBytes,
    options: { readonly answer: "file" | "json"; settle(estimate: CutoutEstimate): T },
  ): Promise<{ readonly made: CutoutFile; readonly estimate: CutoutEstimate; readonly settled: T }>;
  improve(body: RequestBytes): Promise<ImprovementFile>;
  close(): Promise<void>;
}

interface PendingReply {
  resolve(reply: PictureWorkerReply): void;
  reject(cause: Error): void;
}

/** The worker starts with the first order, is started again after a crash and never keeps the process alive. */
export function createPictureWorker(setup: PictureWorkerSetup): PictureWorker {
  const waiting = new Map<number, PendingReply>();
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;

  async function ask(task: PictureWorkerTask): Promise<PictureWorkerReply> {
    if (isClosed) throw new Error("the picture worker is closed");
    worker ??= startWorker(setup, waiting, () => {
      worker = undefined;
    });
    const current = worker;
    const reply = await new Promise<PictureWorkerReply>((resolve, reject) => {
      waiting.set(task.id, { resolve, reject });
      current.postMessage(task, "body" in task ? transferable(task.body) : []);
    });
    if ("refused" in reply) throw new BackgroundRefusal(400, reply.refused);
    if ("failure" in reply) throw new Error(reply.failure);
    return reply;
  }

  function nextId(): number {
    if (waiting.size >= maxOrders) {
      throw new BackgroundRefusal(503, [{ title: "Too many requests at once" }], {
        "Retry-After": "5",
      });
    }
    lastId += 1;
    return lastId;
  }

  return {
    async remove(body, { answer, settle }) {
      const id = nextId();
      const { estimate } = (await ask({ id, kind: "read", body })) as { estimate: CutoutEstimate };
      const settled = attempt(
        () => settle(estimate),
        () => worker?.postMessage({ id, kind: "drop" } satisfies PictureWorkerTask),
      );
      const { size } = settled;
      const { made } = (await ask({ id, kind: "make", size, answer })) as { made: CutoutFile };
      return { made, estimate, settled };
    },
    async improve(body) {
      const reply = await ask({ id: nextId(), kind: "improve", body });
      return (reply as { improvement: ImprovementFile }).improvement;
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

function startWorker(
  setup: PictureWorkerSetup,
  waiting: Map<number, PendingReply>,
  onExit: () => void,
): Worker {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: setup });
  worker.unref();
  worker.on("message", ({ id, ...reply }: PictureWorkerReply & { readonly id: number }) => {
    waiting.get(id)?.resolve(reply as PictureWorkerReply);
    waiting.delete(id);
  });
  // Waiting orders are rejected on `exit`. Without this listener an error would end the process.
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

/** Transfers a body's memory instead of copying it, if nothing else uses that memory. */
function transferable({ bytes: { buffer, byteLength } }: RequestBytes): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** What the worker is started with. */
export interface PictureWorkerSetup {
  readonly matting: "network" | "ellipse";
  /** What is taken for a picture. */
  readonly intake: PictureIntake;
  /** Gives the same order the file that was made before. */
  readonly remembers: boolean;
}

/** What an order is about, known before anything is made. */
export interface CutoutEstimate {
  readonly width: number;
  readonly height: number;
  readonly size: BackgroundResultSize;
  readonly type: string | undefined;
}

/** A picture that was handed over by POST /improve. */
export interface ImprovementFile {
  readonly filename: string;
  readonly tag?: string;
  /** How many it has. */
  readonly bytes: number;
  readonly sha256: string;
}

/** What goes to the worker. An order is read first; once it is charged it is made, or else dropped. */
export type PictureWorkerTask =
  | { readonly id: number; readonly kind: "read"; readonly body: RequestBytes }
  | {
      readonly id: number;
      readonly kind: "make";
      readonly size: BackgroundResultSize;
      readonly answer: "file" | "json";
    }
  | { readonly id: number; readonly kind: "drop" }
  | { readonly id: number; readonly kind: "improve"; readonly body: RequestBytes };

/** What comes back, with the task's id. */
export type PictureWorkerReply =
  | { readonly estimate: CutoutEstimate }
  | { readonly made: CutoutFile }
  | { readonly improvement: ImprovementFile }
  | { readonly refused: readonly Complaint[] }
  | { readonly failure: string };
