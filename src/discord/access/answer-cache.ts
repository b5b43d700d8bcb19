import { createCache } from "../../cache.ts";

/** Answers that are the same for a while; each belongs to one guild and one credential (reliability 3). */
export interface AnswerCache {
  /** What was loaded under this key less than `ms` ago, else what `load` answers. Failures are not kept. */
  recall<T>(key: string, options: RecallOptions, load: () => Promise<T>): Promise<T>;
  /** Lets go of everything of an owner. */
  forget(owner: string): void;
}

export interface RecallOptions {
  readonly ms: number;
  /** The guild it belongs to. */
  readonly owner: string;
}

interface CachedAnswer {
  readonly owner: string;
  readonly until: number;
  readonly value: Promise<unknown>;
}

/** A page of fifty videos takes some 100 KB; this many of them stay below 50 MB. */
const maxAnswers = 500;

export function createAnswerCache(now: () => number): AnswerCache {
  const cache = createCache<CachedAnswer>({ maxSize: maxAnswers });

  return {
    recall<T>(key: string, { ms, owner }: RecallOptions, load: () => Promise<T>): Promise<T> {
      const whole = `${owner} ${key}`;
      const hit = cache.get(whole);
      // A key is only ever used with one kind of value: its first part is the name of what it holds.
      if (hit !== undefined && hit.until > now()) return hit.value as Promise<T>;
      const value = load();
      const answer = { owner, until: now() + ms, value };
      cache.set(whole, answer);
      value.catch(() => {
        if (cache.get(whole) === answer) cache.delete(whole);
      });
      return value;
    },
    forget(owner) {
      for (const [key, answer] of [...cache.entries()]) {
        if (answer.owner === owner) cache.delete(key);
      }
    },
  };
}
