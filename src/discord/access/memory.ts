import { LRUCache } from "lru-cache";

/** Answers that are the same for a while; each belongs to one guild and one credential (reliability 3). */
export interface Memory {
  /** What was loaded under this key less than `ms` ago, else what `load` answers. Failures are not kept. */
  recall<T>(key: string, keeping: Keeping, load: () => Promise<T>): Promise<T>;
  /** Lets go of everything of an owner. */
  forget(owner: string): void;
}

export interface Keeping {
  readonly ms: number;
  /** The guild it belongs to. */
  readonly owner: string;
}

interface Entry {
  readonly owner: string;
  readonly until: number;
  readonly value: Promise<unknown>;
}

/** A page of fifty videos takes some 100 KB; this many of them stay below 50 MB. */
const most = 500;

export function createMemory(now: () => number): Memory {
  const kept = new LRUCache<string, Entry>({ max: most });

  return {
    recall<T>(key: string, { ms, owner }: Keeping, load: () => Promise<T>): Promise<T> {
      const whole = `${owner} ${key}`;
      const hit = kept.get(whole);
      // A key is only ever used with one kind of value: its first part is the name of what it holds.
      if (hit !== undefined && hit.until > now()) return hit.value as Promise<T>;
      const value = load();
      const entry = { owner, until: now() + ms, value };
      kept.set(whole, entry);
      value.catch(() => {
        if (kept.get(whole) === entry) kept.delete(whole);
      });
      return value;
    },
    forget(owner) {
      for (const [key, entry] of [...kept.entries()]) if (entry.owner === owner) kept.delete(key);
    },
  };
}
