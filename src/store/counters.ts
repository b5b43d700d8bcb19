import type { Keyv } from "keyv";
import { entries } from "./backend.ts";
import type { Locks } from "./locks.ts";
import { createLocks } from "./locks.ts";
import type { Counts } from "./types.ts";

/** Longer than any month that somebody looks back on. */
const keptMs = 40 * 24 * 3_600_000;

/** Records that hold counters by name. */
export interface Counters {
  read(key: string): Promise<Counts | undefined>;
  /** Adds to each counter and answers the sums. */
  add(key: string, differences: Counts): Promise<Counts>;
  /** Removes the records of a guild, whose keys start with its id. */
  erase(guildId: string): Promise<void>;
}

/** Keeps them for 40 days after the last addition; additions to one record wait for each other. */
export function createCounters(records: Keyv): Counters {
  const locked: Locks = createLocks();
  return {
    read: (key) => readCounts(records, key),
    add: (key, differences) =>
      locked(key, async () => {
        const sums = sum(await readCounts(records, key), differences);
        await records.set(key, sums, keptMs);
        return sums;
      }),
    async erase(guildId) {
      for await (const [key] of entries(records)) {
        if (!key.startsWith(`${guildId}:`)) continue;
        await locked(key, () => records.delete(key));
      }
    },
  };
}

async function readCounts(records: Keyv, key: string): Promise<Counts | undefined> {
  const counts: unknown = await records.get(key);
  if (counts === undefined || isCounts(counts)) return counts;
  throw new Error("a record of counters does not hold counts");
}

function isCounts(value: unknown): value is Counts {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((count) => Number.isSafeInteger(count));
}

function sum(stored: Counts = {}, differences: Counts): Counts {
  const sums = new Map(Object.entries(stored));
  for (const [name, amount] of Object.entries(differences)) {
    sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  return Object.fromEntries(sums);
}
