import { createFairQueue, type FairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { PictureRequest } from "../jobs.ts";
import {
  ChildEnded,
  startChild,
  type WorkerChild,
  type WorkerEnd,
  type WorkerReply,
} from "./child.ts";

interface PoolOptions {
  readonly workers: number;
  readonly maxWorkerBytes: number;
  readonly jobMs: number;
  readonly budgetBytes: number;
  readonly idleMs: number;
}

interface PoolTask extends TurnTaker {
  readonly request: PictureRequest;
  readonly inputs: readonly Uint8Array[];
  /** Memory it is expected to take. */
  readonly needBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of tasks ahead while it waits, and with undefined when its turn has come. */
  readonly onQueued: ((ahead: number | undefined) => void) | undefined;
}

type WaitingTask = PoolTask & PromiseWithResolvers<WorkerReply> & { toldAhead?: number };

interface WorkerSlot {
  child: WorkerChild | undefined;
  running: WaitingTask | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** The children, and the jobs that run and wait. */
interface WorkerPool {
  readonly options: PoolOptions;
  readonly slots: readonly WorkerSlot[];
  readonly queue: FairQueue<WaitingTask>;
}

/**
 * Hands tasks to at most `workers` children, in turns, while the memory they need together stays within the budget. If the
 * next task does not fit yet, those behind it wait too: smaller ones could keep it waiting for ever.
 */
export function createPool(options: PoolOptions) {
  const slots: WorkerSlot[] = Array.from({ length: options.workers }, () => ({
    child: undefined,
    running: undefined,
    idle: undefined,
  }));
  const queue = createFairQueue<WaitingTask>();
  const workers = { options, slots, queue };
  let isClosed = false;
  return {
    /** Rejects with ChildEnded, or with the signal's reason. */
    run(task: PoolTask): Promise<WorkerReply> {
      if (isClosed) return Promise.reject(new ChildEnded("asked", "closed"));
      if (task.signal?.aborted) return Promise.reject(task.signal.reason);
      return enqueue(workers, task);
    },
    load: () => ({ waiting: queue.order().length, running: runningTasks(workers).length }),
    async close(): Promise<void> {
      isClosed = true;
      for (const task of queue.order()) {
        queue.remove(task);
        task.reject(new ChildEnded("asked", "closed"));
      }
      for (const slot of slots) clearTimeout(slot.idle);
      await Promise.all(slots.map((slot) => slot.child?.end("asked")));
    },
  };
}

function enqueue(workers: WorkerPool, task: PoolTask): Promise<WorkerReply> {
  const { queue } = workers;
  const waiting: WaitingTask = { ...task, ...Promise.withResolvers<WorkerReply>() };
  // Reading a header takes only a few milliseconds, so nobody should have to wait for it in the queue.
  if (task.request.job === "inspect" && !task.request.options.isProven) queue.addFirst(waiting);
  else queue.add(waiting);
  const onAbort = () => {
    if (!queue.remove(waiting)) return;
    waiting.reject(task.signal?.reason);
    startNext(workers);
  };
  task.signal?.addEventListener("abort", onAbort, { once: true });
  startNext(workers);
  return waiting.promise.finally(() => task.signal?.removeEventListener("abort", onAbort));
}

/** Starts every task that may start now, and reports to the others how many are ahead of them. */
function startNext(workers: WorkerPool): void {
  const { slots, queue } = workers;
  for (;;) {
    const free = slots.filter((slot) => !slot.running);
    // A slot whose child is already there comes first.
    const slot = free.find(({ child }) => child?.isAlive()) ?? free[0];
    const next = slot && takeNext(workers);
    if (!next) break;
    if (next.toldAhead !== undefined) next.onQueued?.(undefined);
    void work(slot, next, workers.options).finally(() => startNext(workers));
  }
  for (const [ahead, task] of queue.order().entries()) {
    if (task.toldAhead === ahead || (ahead === 0 && task.toldAhead === undefined)) continue;
    task.toldAhead = ahead;
    task.onQueued?.(ahead);
  }
}

function takeNext(workers: WorkerPool): WaitingTask | undefined {
  const taken = runningTasks(workers).reduce((sum, { needBytes }) => sum + needBytes, 0);
  let isFirst = true;
  return workers.queue.take(({ needBytes }) => {
    // Alone, even the largest task may run, within the worker's own memory limit.
    const fits = taken === 0 || taken + needBytes <= workers.options.budgetBytes;
    const mayGo = isFirst && fits;
    isFirst = false;
    return mayGo;
  });
}

function runningTasks({ slots }: WorkerPool): readonly WaitingTask[] {
  return slots.flatMap((slot) => slot.running ?? []);
}

async function work(slot: WorkerSlot, task: WaitingTask, options: PoolOptions): Promise<void> {
  clearTimeout(slot.idle);
  slot.running = task;
  if (!slot.child?.isAlive()) slot.child = startChild(options.maxWorkerBytes);
  const { child } = slot;
  const stop = (reason: WorkerEnd) => () => void child.end(reason);
  const onAbort = stop("asked");
  const isPaid = task.request.job === "compose";
  const deadline = setTimeout(stop("time"), isPaid ? 5 * options.jobMs : options.jobMs);
  task.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    task.resolve(await child.run(task.request, task.inputs));
  } catch (error) {
    task.reject(task.signal?.aborted ? task.signal.reason : error);
  } finally {
    clearTimeout(deadline);
    task.signal?.removeEventListener("abort", onAbort);
    slot.running = undefined;
    slot.idle = setTimeout(() => void child.end("asked"), options.idleMs).unref();
  }
}
