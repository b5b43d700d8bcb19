/** What is known of things that were dealt with lately; the oldest give way. */
export interface Recent<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

const most = 5_000;
const freshMs = 24 * 3_600_000;

export function createRecent<T>(now: () => number): Recent<T> {
  const known = new Map<string, { readonly value: T; readonly at: number }>();
  return {
    get: (key) => {
      const hit = known.get(key);
      return hit !== undefined && now() - hit.at < freshMs ? hit.value : undefined;
    },
    set: (key, value) => {
      known.delete(key);
      known.set(key, { value, at: now() });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}
