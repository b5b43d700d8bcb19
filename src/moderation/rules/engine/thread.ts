import { Worker } from "node:worker_threads";
import type { Clock } from "../../../clock.ts";
import { createFairQueue, type TurnTaker } from "../../../fair-queue.ts";
import type { ThreadAnswer, ThreadRequest } from "./messages.ts";

/** How costs are counted: by the thread's CPU time, or only by steps, which are the same on every machine. */
export type CostKind = "cpu" | "steps";

export interface ThreadData {
  /** The index of the running test; -1 for none. Shared memory, so that it can be read while the thread is busy. */
  readonly at: Int32Array<SharedArrayBuffer>;
  readonly costs: CostKind;
}

/** The thread ended or was stopped before it answered. */
export class ThreadEndedError extends Error {
  readonly at: number | undefined;

  constructor(reason: string, at: number) {
    super(`the thread that judges comments ended: ${reason}`);
    this.at = at < 0 ? undefined : at;
  }
}

export interface ThreadDeps {
  readonly costs: CostKind;
  readonly after: Clock["after"];
  /** The script that the thread runs. */
  readonly script?: URL;
}

/** No request takes a tenth of this on any machine, so one that takes longer never ends. */
const stuckMs = 60_000;
/** Cached rules and texts need far less. The compiler's own memory is not counted here. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

/** Starts the thread with the first request. Callers must wait for one answer before they send the next request. */
export function createEngineThread(deps: ThreadDeps) {
  const { costs, after, script = new URL("./worker.ts", import.meta.url) } = deps;
  let worker: Worker | undefined;
  let pending: PromiseWithResolvers<ThreadAnswer> | undefined;
  let generation = 0;

  function start(): Worker {
    const at = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const started = new Worker(script, {
      // It reads hostile texts, so it gets no environment with secrets.
      env: {},
      resourceLimits,
      workerData: { at, costs } satisfies ThreadData,
    });
    const ended = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      generation += 1;
      pending?.reject(new ThreadEndedError(reason, Atomics.load(at, 0)));
    };
    started.on("message", (answer: ThreadAnswer) => pending?.resolve(answer));
    started.on("error", (error) => ended(String(error)));
    started.on("exit", (code) => ended(`exit ${code}`));
    return started;
  }

  return {
    /** Changes whenever a new thread replaces an old one. */
    generation: () => generation,
    /** @throws ThreadEndedError; the next request starts a new thread. */
    async ask(request: ThreadRequest): Promise<ThreadAnswer> {
      worker ??= start();
      const current = worker;
      pending = Promise.withResolvers();
      const { promise } = pending;
      const stop = after(stuckMs, () => void current.terminate());
      // An idle thread must not keep the process from ending; a working one must.
      current.ref();
      try {
        current.postMessage(request);
        return await promise;
      } finally {
        stop();
        current.unref();
        pending = undefined;
      }
    },
    async close(): Promise<void> {
      await worker?.terminate();
    },
  };
}

interface WaitingRequest extends TurnTaker {
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/** Lets servers use the thread in turn, one request at a time; each server's requests keep their order. */
export function createThreadTurns() {
  const queue = createFairQueue<WaitingRequest>();
  let running: WaitingRequest | undefined;

  async function go(): Promise<void> {
    if (running !== undefined) return;
    for (;;) {
      running = queue.take(() => true);
      if (running === undefined) return;
      await running.start();
    }
  }

  return {
    run<T>(guildId: string, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const start = () => work().then(resolve, reject);
      queue.add({ tenant: guildId, person: "", start, reject });
      void go();
      return promise;
    },
    /** Rejects all requests of a server that wait or run. */
    forget(guildId: string): void {
      const gone = new Error("the server's records are erased");
      const waiting = queue.order().filter(({ tenant }) => tenant === guildId);
      for (const one of waiting) {
        queue.remove(one);
        one.reject(gone);
      }
      if (running?.tenant === guildId) running.reject(gone);
    },
  };
}
