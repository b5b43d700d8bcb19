import { AsyncLocalStorage } from "node:async_hooks";
import type { Counts, RecordAt } from "./types.ts";

/** One record as this process knows it: what is stored, and what was added since. */
export interface Tally {
  readonly at: RecordAt;
  /** As part of the work that it was first wanted for, whose guild may be erased meanwhile. */
  readonly within: <T>(work: () => T) => T;
  /** Counted since it was last saved. */
  unsaved: Map<string, number>;
  /** Under way to the records. */
  saving: Map<string, number>;
  stored: Counts;
  isLoaded: boolean;
  /** The reading that runs. */
  load: Promise<void> | undefined;
  /** The save that runs; answers whether it worked. */
  save: Promise<boolean> | undefined;
  /** Nothing more is kept of it. */
  isDropped: boolean;
  /** Somebody has asked for it since the last round of saving. */
  isInUse: boolean;
  /** When somebody asked for it last: milliseconds since the epoch. */
  usedAt: number;
}

export function createTally(at: RecordAt, usedAt: number): Tally {
  return {
    at,
    within: AsyncLocalStorage.snapshot(),
    unsaved: new Map(),
    saving: new Map(),
    stored: {},
    isLoaded: false,
    load: undefined,
    save: undefined,
    isDropped: false,
    isInUse: true,
    usedAt,
  };
}

/** Never below nothing: what is given back may belong to a record that could not be read. */
export function countOf({ stored, saving, unsaved }: Tally, name: string): number {
  const kept = Object.hasOwn(stored, name) ? (stored[name] ?? 0) : 0;
  return Math.max(0, kept + (saving.get(name) ?? 0) + (unsaved.get(name) ?? 0));
}

/** All counters: those that are stored as they were read just now, and what has not got there. */
export function countsOf(tally: Tally | undefined, stored: Counts): Counts {
  const counts = new Map(Object.entries(stored));
  for (const more of [tally?.saving, tally?.unsaved]) {
    for (const [name, amount] of more ?? []) counts.set(name, (counts.get(name) ?? 0) + amount);
  }
  return Object.fromEntries(counts);
}

/** What a crash now would lose of it. */
export function unsavedOf({ saving, unsaved }: Tally, name: string): number {
  return (saving.get(name) ?? 0) + (unsaved.get(name) ?? 0);
}

export function addTo(counts: Map<string, number>, name: string, amount: number): void {
  const sum = (counts.get(name) ?? 0) + amount;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}
