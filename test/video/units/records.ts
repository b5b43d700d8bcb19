import type { Counts, RecordAt, UnitRecords } from "../../../src/video/units/types.ts";

export interface TestRecords extends UnitRecords {
  /** Stored counts by `project day guild`. */
  readonly stored: Map<string, Counts>;
  /** Every write, in order. */
  readonly writes: { readonly at: RecordAt; readonly differences: Counts }[];
  reads: number;
  /** What reading and writing wait for, or fail with. */
  trouble: (() => Promise<void>) | undefined;
}

export function keyOf({ project, day, guildId = "" }: RecordAt): string {
  return `${project} ${day} ${guildId}`;
}

/** Records in memory, with trouble on demand. */
export function testRecords(): TestRecords {
  const stored = new Map<string, Counts>();
  const records: TestRecords = {
    stored,
    writes: [],
    reads: 0,
    trouble: undefined,
    async read(at) {
      records.reads += 1;
      try {
        await records.trouble?.();
      } catch (error) {
        return { state: "failed", error: error as Error };
      }
      const value = stored.get(keyOf(at));
      return value === undefined ? { state: "absent" } : { state: "found", value };
    },
    async add(at, differences) {
      await records.trouble?.();
      records.writes.push({ at, differences });
      const sums = { ...stored.get(keyOf(at)) };
      for (const [name, amount] of Object.entries(differences)) {
        sums[name] = (sums[name] ?? 0) + amount;
      }
      stored.set(keyOf(at), sums);
      return sums;
    },
  };
  return records;
}
