import { createFairQueue, type FairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { Request } from "../jobs.ts";
import { type Child, ChildEnded, type End, type Reply, startChild } from "./child.ts";

interface PoolOptions {
  readonly workers: number;
  readonly maxWorkerBytes: number;
  readonly jobMs: number;
  readonly budgetBytes: number;
  readonly idleMs: number;
}

export interface Task extends TurnTaker {
  readonly request: Request;
  readonly inputs: readonly Uint8Array[];
  /** Memory it is expected to take. */
  readonly need: number;
  readonly signal: AbortSignal | undefined;
  /** Told how many go before it while it waits, and once with nothing when its turn has come after that. */
  readonly onQueued: ((ahead: number | undefined) => void) | undefined;
}

export interface Pool {
  /** Rejects with ChildEnded, or with the signal's reason. */
  run(task: Task): Promise<Reply>;
  load(): { readonly waiting: number; readonly running: number };
  close(): Promise<void>;
}

type Waiting = Task & PromiseWithResolvers<Reply> & { told?: number };

interface Slot {
  child: Child | undefined;
  running: Waiting | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** The children, and what they do and are to do. */
interface Workers {
  readonly options: PoolOptions;
  readonly slots: readonly Slot[];
  readonly queue: FairQueue<Waiting>;
}

/**
 * Hands tasks to at most `workers` children, in turns, while what they need together stays within the budget. What does
 * not fit yet is waited for: smaller ones behind it would keep it out for ever.
 */
export function createPool(options: PoolOptions): Pool {
  const slots: Slot[] = Array.from({ length: options.workers }, () => ({
    child: undefined,
    running: undefined,
    idle: undefined,
  }));
  const queue = createFairQueue<Waiting>();
  const workers = { options, slots, queue };
  let isClosed = false;
  return {
    run(task) {
      if (isClosed) return Promise.reject(new ChildEnded("asked", "closed"));
      if (task.signal?.aborted) return Promise.reject(task.signal.reason);
      return enqueue(workers, task);
    },
    load: () => ({ waiting: queue.order().length, running: runningOf(workers).length }),
    async close() {
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

function enqueue(workers: Workers, task: Task): Promise<Reply> {
  const { queue } = workers;
  const waiting: Waiting = { ...task, ...Promise.withResolvers<Reply>() };
  // It takes a few milliseconds, which nobody should wait twice for.
  if (isQuick(task.request)) queue.addFirst(waiting);
  else queue.add(waiting);
  const onAbort = () => {
    if (!queue.remove(waiting)) return;
    waiting.reject(task.signal?.reason);
    pump(workers);
  };
  task.signal?.addEventListener("abort", onAbort, { once: true });
  pump(workers);
  return waiting.promise.finally(() => task.signal?.removeEventListener("abort", onAbort));
}

/** Begins whatever may begin by now, and tells the others how many go before them. */
function pump(workers: Workers): void {
  const { slots, queue } = workers;
  for (let slot = freeSlot(slots); slot; slot = freeSlot(slots)) {
    const next = takeNext(workers);
    if (!next) break;
    if (next.told !== undefined) next.onQueued?.(undefined);
    void work(slot, next, workers.options).finally(() => pump(workers));
  }
  for (const [ahead, task] of queue.order().entries()) {
    if (task.told === ahead || (ahead === 0 && task.told === undefined)) continue;
    task.told = ahead;
    task.onQueued?.(ahead);
  }
}

function takeNext(workers: Workers): Waiting | undefined {
  let isFirst = true;
  return workers.queue.take((head) => {
    const mayGo = isFirst && fits(workers, head);
    isFirst = false;
    return mayGo;
  });
}

function fits(workers: Workers, { need }: Task): boolean {
  const taken = runningOf(workers).reduce((sum, task) => sum + task.need, 0);
  // Alone, even the largest may run: the worker's own memory limit stands above it.
  return taken === 0 || taken + need <= workers.options.budgetBytes;
}

function runningOf({ slots }: Workers): readonly Waiting[] {
  return slots.flatMap((slot) => slot.running ?? []);
}

async function work(slot: Slot, task: Waiting, options: PoolOptions): Promise<void> {
  clearTimeout(slot.idle);
  slot.running = task;
  if (!slot.child?.isAlive()) slot.child = startChild(options.maxWorkerBytes);
  const { child } = slot;
  const stop = (reason: End) => () => void child.end(reason);
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

/** What reads a header and decodes nothing. */
function isQuick(request: Request): boolean {
  return request.job === "inspect" && !request.isProven;
}

/** A slot whose child is already there comes first. */
function freeSlot(slots: readonly Slot[]): Slot | undefined {
  const free = slots.filter((slot) => !slot.running);
  return free.find((slot) => slot.child?.isAlive()) ?? free[0];
}
