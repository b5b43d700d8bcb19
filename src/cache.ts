import { LRUCache } from "lru-cache";

/** Values by key, in memory. When it is full, the value that was not used for the longest time is dropped. */
export type Cache<V extends {}> = LRUCache<string, V>;

interface CacheOptions<V> {
  /** The most values that it holds, or their total size by `sizeOf`. */
  readonly maxSize: number;
  /** The size of a value, a positive whole number; 1 when absent. */
  readonly sizeOf?: (value: V) => number;
  /** Older values are dropped. */
  readonly maxAgeMs?: number;
  /** The time for `maxAgeMs`, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Creates an empty cache. Unlike the library's own `max`, it reserves no memory in advance. */
export function createCache<V extends {}>({
  maxSize,
  sizeOf = () => 1,
  maxAgeMs,
  now = Date.now,
}: CacheOptions<V>): Cache<V> {
  return new LRUCache<string, V>({
    maxSize,
    sizeCalculation: sizeOf,
    ...(maxAgeMs !== undefined && { ttl: maxAgeMs, ttlResolution: 0, perf: { now } }),
  });
}

export type AnswerCache = ReturnType<typeof createAnswerCache>;

export interface RecallOptions {
  readonly ms: number;
  /** The server it belongs to. */
  readonly owner: string;
  /** It stays in the cache when the owner writes something. */
  readonly outlivesWrites?: boolean;
}

interface CachedAnswer {
  readonly owner: string;
  readonly outlivesWrites: boolean;
  readonly loadedAt: number;
  readonly value: Promise<unknown>;
  /** How long it is as JSON; undefined until it has arrived. */
  readonly chars?: number;
}

/** As JSON. A list of fifty videos takes some 100,000 characters. */
const maxChars = 32 * 1024 * 1024;
/** What each answer counts besides its length, also before it has arrived. */
const leastChars = 1_024;

/** Answers of the services that stay the same for a while; each belongs to one server and one credential. */
export function createAnswerCache(now: () => number) {
  const cache = createCache<CachedAnswer>({
    maxSize: maxChars,
    sizeOf: ({ chars = 0 }) => leastChars + chars,
  });
  const forgetWhere = (isForgotten: (answer: CachedAnswer) => boolean) => {
    for (const [key, answer] of [...cache.entries()]) {
      if (isForgotten(answer)) cache.delete(key);
    }
  };

  return {
    /** What was loaded under this key less than `ms` ago, or else what `load` returns. Failures are not cached. */
    recall<T>(key: string, options: RecallOptions, load: () => Promise<T>): Promise<T> {
      const { ms, owner, outlivesWrites = false } = options;
      const whole = `${owner} ${key}`;
      const hit = cache.get(whole);
      // A key is only ever used with one kind of value: its first part is the name of what it holds.
      if (hit !== undefined && now() < hit.loadedAt + ms) return hit.value as Promise<T>;
      const value = load();
      const answer: CachedAnswer = { owner, outlivesWrites, loadedAt: now(), value };
      cache.set(whole, answer);
      value.then(
        (loaded) => {
          if (cache.peek(whole) !== answer) return;
          cache.set(whole, { ...answer, chars: JSON.stringify(loaded)?.length ?? 0 });
        },
        () => {
          if (cache.peek(whole) === answer) cache.delete(whole);
        },
      );
      return value;
    },
    /** Forgets all answers of an owner. */
    forget: (owner: string): void => forgetWhere((answer) => answer.owner === owner),
    /** Forgets those that a write of the owner may have changed. */
    forgetChanged: (owner: string): void =>
      forgetWhere((answer) => answer.owner === owner && !answer.outlivesWrites),
  };
}
