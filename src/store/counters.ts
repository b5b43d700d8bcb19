import type { Backend, Namespace } from "./backend.ts";
import type { Counts } from "./types.ts";

/** Longer than any month that somebody looks back on. */
const keptMs = 40 * 24 * 3_600_000;

/** Records that hold counters by name. */
export interface Counters {
  read(key: string): Promise<Counts | undefined>;
  /** Adds to each counter and answers the sums; what several processes add at once adds up. `guildId`: whose record it is. */
  add(key: string, differences: Counts, guildId?: string): Promise<Counts>;
}

/** Keeps them for 40 days after the last addition. */
export function createCounters({ records, update }: Backend, namespace: Namespace): Counters {
  return {
    read: async (key) => countsOf(await records[namespace].get(key)),
    add: (key, differences, guildId) =>
      update(
        { namespace, key, ...(guildId !== undefined && { guildId }) },
        (stored) => sum(countsOf(stored), differences),
        keptMs,
      ),
  };
}

function countsOf(stored: unknown): Counts | undefined {
  if (stored === undefined || isCounts(stored)) return stored;
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
