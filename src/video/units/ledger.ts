import { setImmediate as nextTurn } from "node:timers/promises";
import { isGuildErased } from "../../errors.ts";
import { patienceMs, patiently } from "./patience.ts";
import { addTo, createTally, type Tally } from "./tally.ts";
import type { RecordAt, UnitRecords } from "./types.ts";

export interface LedgerOptions {
  readonly records: UnitRecords;
  readonly now: () => number;
  /** Longest time that something counted stays unsaved. */
  readonly saveWithinMs: number;
  /** How long a record that nobody asks for is remembered as it was read; only until the next round when absent. */
  readonly rememberMs?: (at: RecordAt) => number;
  readonly onFailure: (error: unknown) => void;
}

/** Records of one kind: counted in memory, saved together a little later. Nothing here throws. */
export interface Ledger {
  /** A record as far as it is known here. */
  tally(at: RecordAt): Tally;
  /** The same, undefined where nothing is known. */
  peek(at: RecordAt): Tally | undefined;
  /** Reads what is stored of a record; after a failure, what is counted here has to do. */
  load(at: RecordAt): Promise<void>;
  add(at: RecordAt, differences: ReadonlyMap<string, number>): void;
  /** Resolves when what was counted before is stored, or could not be. */
  save(at: RecordAt): Promise<void>;
  /** Lets go of records, also of what is not saved. */
  drop(matches: (at: RecordAt) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** After a failure the records are left alone for so long. */
const retryMs = 10_000;

export function createLedger(options: LedgerOptions): Ledger {
  const { records, now, saveWithinMs, onFailure, rememberMs = () => 0 } = options;
  const tallies = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;
  let tryAgainAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function tallyOf(at: RecordAt): Tally {
    const key = keyOf(at);
    const tally = tallies.get(key) ?? createTally(at, now());
    tallies.set(key, tally);
    tally.isInUse = true;
    tally.usedAt = now();
    return tally;
  }

  function failed(error: unknown): void {
    tryAgainAt = now() + retryMs;
    onFailure(error);
  }

  async function load(tally: Tally): Promise<void> {
    if (now() < tryAgainAt) return;
    const read = await records.read(tally.at).catch(asFailed);
    if (read.state === "failed") return failed(read.error);
    // A save that came between has brought newer sums.
    if (!tally.isLoaded && read.state === "found") tally.stored = read.value;
    tally.isLoaded = true;
  }

  async function write(tally: Tally): Promise<boolean> {
    tally.saving = tally.unsaved;
    tally.unsaved = new Map();
    try {
      const saving = Object.fromEntries(tally.saving);
      tally.stored = await tally.within(() => records.add(tally.at, saving));
      tally.isLoaded = true;
      return true;
    } catch (error) {
      if (isGuildErased(error)) return letGo(tally);
      for (const [name, amount] of tally.saving) addTo(tally.unsaved, name, amount);
      failed(error);
      return false;
    } finally {
      tally.saving = new Map();
      tally.save = undefined;
    }
  }

  /** What is counted next is another generation's. */
  function letGo(tally: Tally): true {
    tally.isDropped = true;
    const key = keyOf(tally.at);
    if (tallies.get(key) === tally) tallies.delete(key);
    return true;
  }

  async function save(tally: Tally): Promise<boolean> {
    // What runs may have begun before the last count.
    await tally.save;
    if (tally.save === undefined && tally.unsaved.size > 0 && !tally.isDropped) {
      tally.save = write(tally);
    }
    return (await tally.save) ?? true;
  }

  /** One record after the other, with room for other work between two writes to the disk. */
  async function saveAll(): Promise<boolean> {
    for (const [key, tally] of tallies) {
      if (!(await save(tally))) return false;
      // Whoever has just asked for it goes on with what was loaded, so it stays for a round.
      const isOver = now() - tally.usedAt >= rememberMs(tally.at);
      if (isIdle(tally) && !tally.isInUse && isOver) tallies.delete(key);
      tally.isInUse = false;
      await nextTurn();
    }
    return true;
  }

  function plan(ms: number): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(async () => {
      const isSaved = await saveAll();
      timer = undefined;
      if ([...tallies.values()].some(({ unsaved }) => unsaved.size > 0)) {
        plan(isSaved ? saveWithinMs : retryMs);
      }
    }, ms);
    timer.unref();
  }

  return {
    tally: tallyOf,
    peek: (at) => tallies.get(keyOf(at)),
    async load(at) {
      const tally = tallyOf(at);
      if (tally.isLoaded) return;
      tally.load ??= load(tally).finally(() => {
        tally.load = undefined;
      });
      await tally.load;
    },
    add(at, differences) {
      const { unsaved } = tallyOf(at);
      for (const [name, amount] of differences) addTo(unsaved, name, amount);
      plan(saveWithinMs);
    },
    async save(at) {
      const tally = tallies.get(keyOf(at));
      if (tally !== undefined) await save(tally);
    },
    async drop(matches) {
      for (const [key, tally] of tallies) {
        if (!matches(tally.at)) continue;
        tally.isDropped = true;
        tallies.delete(key);
        await tally.save;
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await saveAll();
    },
  };
}

/** A record that is read once; after a failure, what is counted here has to do. */
export async function loaded(ledger: Ledger, at: RecordAt): Promise<Tally> {
  if (!ledger.tally(at).isLoaded) await patiently(ledger.load(at), patienceMs);
  return ledger.tally(at);
}

/** Whether nothing would be lost by reading it anew. */
function isIdle({ unsaved, save, load }: Tally): boolean {
  return unsaved.size === 0 && save === undefined && load === undefined;
}

function asFailed(error: unknown): { readonly state: "failed"; readonly error: Error } {
  return { state: "failed", error: error instanceof Error ? error : new Error(String(error)) };
}

function keyOf({ project, day, guildId }: RecordAt): string {
  return `${project} ${day} ${guildId ?? ""}`;
}
