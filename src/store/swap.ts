import { setTimeout as wait } from "node:timers/promises";
import type { MakeText } from "./backend.ts";
import { guildErased } from "./generations.ts";
import { createLocks } from "./locks.ts";

/** A row that has to be as it was for another one to be written; the same object goes through all writes of one work. */
export interface Guard {
  readonly key: string;
  /** `undefined`: there was none; the first write takes the one that is there then, or makes it. */
  text: string | undefined;
  /** What is made then. */
  readonly fresh: string;
}

/** One step of an update: what was read, and what replaces it if it is still there; `undefined` is no row. */
export interface Swap {
  readonly key: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly ttlMs?: number;
  /** Has to be there as well, at the moment of the write. */
  readonly guard?: { readonly key: string; readonly text: string } | undefined;
}

/** How to update a row; see `Database.update`. */
export interface UpdateOptions {
  readonly ttlMs?: number | undefined;
  /** Read from the beginning, and needed when something is to be written. */
  readonly guard?: Promise<Guard> | undefined;
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

  /** @throws ServiceError `guild_erased`. */
  async function guarded(guard: Guard | undefined): Promise<Swap["guard"]> {
    if (guard === undefined) return undefined;
    const { key, fresh } = guard;
    if (guard.text === undefined) await swap({ key, from: undefined, to: fresh });
    const text = await get(key);
    guard.text ??= text;
    if (text === undefined || text !== guard.text) throw guildErased();
    return { key, text };
  }

  return (key: string, make: MakeText, { ttlMs, guard: reading }: UpdateOptions = {}) => {
    // Whoever waits for a turn hears of its failure then.
    reading?.catch(() => undefined);
    return locked(key, async () => {
      const guard = await reading;
      let known = guard?.text === undefined ? undefined : { key: guard.key, text: guard.text };
      for (let tries = 0; tries < mostTries; tries++) {
        const from = await get(key);
        const to = make(from);
        if (from === to && ttlMs === undefined) return;
        if (from === undefined && to === undefined) return;
        known ??= await guarded(guard);
        if (await swap({ key, from, to, guard: known, ...(ttlMs !== undefined && { ttlMs }) }))
          return;
        known = await guarded(guard);
        await wait(Math.random() * longestPauseMs);
      }
      throw new Error("a record is changed by others all the time");
    });
  };
}
