import { Worker } from "node:worker_threads";
import type { Clock } from "../../../clock.ts";
import type { ThreadAnswer, ThreadRequest } from "./messages.ts";

/** How costs are counted: the thread's time, or steps alone, which are the same on every machine. */
export type CostKind = "cpu" | "steps";

export interface ThreadData {
  /** The test that is being asked, by its place; -1 for none. Read while the thread can't answer. */
  readonly at: Int32Array<SharedArrayBuffer>;
  readonly costs: CostKind;
}

/** The thread ended, or was ended, before it answered. */
export class ThreadEnded extends Error {
  /** The test that it was asking, by its place; undefined where it was asking none. */
  readonly at: number | undefined;

  constructor(reason: string, at: number) {
    super(`the thread that judges comments ended: ${reason}`);
    this.at = at < 0 ? undefined : at;
  }
}

export interface ThreadDeps {
  readonly costs: CostKind;
  readonly after: Clock["after"];
  /** What the thread runs. */
  readonly script?: URL;
}

/** No request takes a tenth of it, on any machine: what takes longer never ends. */
const stuckMs = 60_000;
/** What is remembered of rules and texts is far less; the compiler's own needs are not counted. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

/** Begins the thread when it is first asked. One request at a time: whoever has one waits for the former's answer. */
export function createThread(deps: ThreadDeps) {
  const { costs, after, script = new URL("./worker.ts", import.meta.url) } = deps;
  let worker: Worker | undefined;
  let pending: PromiseWithResolvers<ThreadAnswer> | undefined;
  let generation = 0;

  function start(): Worker {
    const at = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const started = new Worker(script, {
      // It reads hostile texts and needs no secret.
      env: {},
      resourceLimits,
      workerData: { at, costs } satisfies ThreadData,
    });
    const ended = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      generation += 1;
      pending?.reject(new ThreadEnded(reason, Atomics.load(at, 0)));
    };
    started.on("message", (answer: ThreadAnswer) => pending?.resolve(answer));
    started.on("error", (error) => ended(String(error)));
    started.on("exit", (code) => ended(`exit ${code}`));
    return started;
  }

  return {
    /** Whether the thread that will be asked is the one of before. */
    generation: () => generation,
    /** @throws ThreadEnded; the next request begins a new thread. */
    async ask(request: ThreadRequest): Promise<ThreadAnswer> {
      worker ??= start();
      const asked = worker;
      pending = Promise.withResolvers();
      const { promise } = pending;
      const stop = after(stuckMs, () => void asked.terminate());
      // An idle thread must not keep the process from ending; a working one must.
      asked.ref();
      try {
        asked.postMessage(request);
        return await promise;
      } finally {
        stop();
        asked.unref();
        pending = undefined;
      }
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}
