import type { Keyv } from "keyv";
import { type Backend, entries, type Namespace } from "./backend.ts";
import { answer, change } from "./failure.ts";
import { checkDay, checkGuildId, checkProject } from "./ids.ts";
import { createLocks } from "./locks.ts";
import type { UnitCounts, UnitRecordAt, Units } from "./types.ts";

/** Longer than any month that somebody looks back on. */
const keptMs = 40 * 24 * 3_600_000;

/** The store of units, and what the erasing of a guild needs of it. */
export interface UnitsOfGuilds extends Units {
  /** Removes what a guild's people spent; the projects' totals name nobody and stay. */
  erase(guildId: string): Promise<void>;
}

/** Counters of units by project and day, and by who spent them. */
export function createUnits({ records }: Backend): UnitsOfGuilds {
  const locked = createLocks();

  async function add(at: UnitRecordAt, differences: UnitCounts): Promise<UnitCounts> {
    const { namespace, key } = placeOf(at);
    return locked(`${namespace} ${key}`, async () => {
      const sums = sum(await readCounts(records[namespace], key), differences);
      await records[namespace].set(key, sums, keptMs);
      return sums;
    });
  }

  async function erase(guildId: string): Promise<void> {
    for await (const [key] of entries(records.spender)) {
      if (!key.startsWith(`${guildId}:`)) continue;
      await locked(`spender ${key}`, () => records.spender.delete(key));
    }
  }

  return {
    read: (at) =>
      answer(async () => {
        const { namespace, key } = placeOf(at);
        return readCounts(records[namespace], key);
      }),
    add: (at, differences) => change(() => add(at, differences)),
    erase,
  };
}

interface Place {
  readonly namespace: Extract<Namespace, "unit" | "spender">;
  readonly key: string;
}

function placeOf({ project, day, guildId }: UnitRecordAt): Place {
  const end = `${checkDay(day)}:${checkProject(project)}`;
  if (guildId === undefined) return { namespace: "unit", key: end };
  return { namespace: "spender", key: `${checkGuildId(guildId)}:${end}` };
}

async function readCounts(records: Keyv, key: string): Promise<UnitCounts | undefined> {
  const counts: unknown = await records.get(key);
  if (counts === undefined || isCounts(counts)) return counts;
  throw new Error("a record of units does not hold counts");
}

function isCounts(value: unknown): value is UnitCounts {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((count) => Number.isSafeInteger(count));
}

function sum(stored: UnitCounts = {}, differences: UnitCounts): UnitCounts {
  const sums = new Map(Object.entries(stored));
  for (const [name, amount] of Object.entries(differences)) {
    sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  return Object.fromEntries(sums);
}
