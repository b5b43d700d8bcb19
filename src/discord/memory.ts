/** Answers that are the same for a while; each belongs to one guild and one credential (reliability 3). */
export interface Memory {
  /** What was loaded under this key less than `ms` ago, else what `load` answers. Failures are not kept. */
  recall<T>(key: string, ms: number, load: () => Promise<T>): Promise<T>;
}

const most = 500;

export function createMemory(now: () => number): Memory {
  const kept = new Map<string, { readonly until: number; readonly value: Promise<unknown> }>();

  return {
    recall<T>(key: string, ms: number, load: () => Promise<T>): Promise<T> {
      const hit = kept.get(key);
      // A key is only ever used with one kind of value: its first part is the name of what it holds.
      if (hit !== undefined && hit.until > now()) return hit.value as Promise<T>;
      const value = load();
      kept.delete(key);
      kept.set(key, { until: now() + ms, value });
      value.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
