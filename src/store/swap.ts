import { setTimeout as wait } from "node:timers/promises";
import type { MakeText } from "./backend.ts";
import { createLocks } from "./locks.ts";

/** One step of an update: what was read, and what replaces it if it is still there; `undefined` is no row. */
export interface Swap {
  readonly key: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly ttlMs?: number;
}

interface Swapping {
  get(key: string): Promise<string | undefined>;
  /** Answers whether the row was as it was read, and so is replaced. */
  swap(swap: Swap): Promise<boolean>;
}

const mostTries = 100;
const longestPauseMs = 30;

/**
 * Updates by comparing and swapping, tried again when another process came between; within this process callers of one key
 * wait for each other, so that a crowd costs one try each.
 */
export function createUpdate({ get, swap }: Swapping) {
  const locked = createLocks();
  return (key: string, make: MakeText, ttlMs?: number): Promise<void> =>
    locked(key, async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        const from = await get(key);
        const to = make(from);
        if (from === to && ttlMs === undefined) return;
        if (from === undefined && to === undefined) return;
        if (await swap({ key, from, to, ...(ttlMs !== undefined && { ttlMs }) })) return;
        await wait(Math.random() * longestPauseMs);
      }
      throw new Error("a record is changed by others all the time");
    });
}
