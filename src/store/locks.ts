/** Runs works of the same key one after the other, in this process. */
export type Locks = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    // A work that failed does not keep the next one from its turn.
    const mine = before.catch(() => undefined).then(work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
