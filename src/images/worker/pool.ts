import { createFairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { Request } from "../jobs.ts";
import { type Child, ChildEnded, type End, type Reply, startChild } from "./child.ts";

export interface PoolOptions {
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
  let isClosed = false;

  const running = () => slots.flatMap((slot) => slot.running ?? []);
  const fits = ({ need }: Task) => {
    const taken = running().reduce((sum, task) => sum + task.need, 0);
    // Alone, even the largest may run: the worker's own memory limit stands above it.
    return taken === 0 || taken + need <= options.budgetBytes;
  };

  const pump = () => {
    for (let slot = freeSlot(slots); slot; slot = freeSlot(slots)) {
      const next = takeNext();
      if (!next) break;
      if (next.told !== undefined) next.onQueued?.(undefined);
      void work(slot, next).finally(pump);
    }
    tell();
  };

  const takeNext = () => {
    let isFirst = true;
    return queue.take((head) => {
      const mayGo = isFirst && fits(head);
      isFirst = false;
      return mayGo;
    });
  };

  const tell = () => {
    for (const [ahead, task] of queue.order().entries()) {
      if (task.told === ahead || (ahead === 0 && task.told === undefined)) continue;
      task.told = ahead;
      task.onQueued?.(ahead);
    }
  };

  const work = async (slot: Slot, task: Waiting) => {
    clearTimeout(slot.idle);
    slot.running = task;
    if (!slot.child?.isAlive()) slot.child = startChild(options.maxWorkerBytes);
    const { child } = slot;
    const stop = (reason: End) => () => void child.end(reason);
    const onAbort = stop("asked");
    const deadline = setTimeout(stop("time"), options.jobMs);
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
  };

  return {
    run(task) {
      if (isClosed) return Promise.reject(new ChildEnded("asked", "closed"));
      if (task.signal?.aborted) return Promise.reject(task.signal.reason);
      const waiting: Waiting = { ...task, ...Promise.withResolvers<Reply>() };
      // It takes a few milliseconds, which nobody should wait twice for.
      if (isQuick(task.request)) queue.addFirst(waiting);
      else queue.add(waiting);
      const onAbort = () => {
        if (!queue.remove(waiting)) return;
        waiting.reject(task.signal?.reason);
        pump();
      };
      task.signal?.addEventListener("abort", onAbort, { once: true });
      pump();
      return waiting.promise.finally(() => task.signal?.removeEventListener("abort", onAbort));
    },
    load: () => ({ waiting: queue.order().length, running: running().length }),
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

/** What reads a header and decodes nothing. */
function isQuick(request: Request): boolean {
  return request.job === "inspect" && !request.isProven;
}

/** A slot whose child is already there comes first. */
function freeSlot(slots: readonly Slot[]): Slot | undefined {
  const free = slots.filter((slot) => !slot.running);
  return free.find((slot) => slot.child?.isAlive()) ?? free[0];
}
