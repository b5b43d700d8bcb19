/** Runs work of the same key one after the other, within this process. */
export type Locks = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    // If work fails, the next still runs.
    const mine = before.catch(() => undefined).then(work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
