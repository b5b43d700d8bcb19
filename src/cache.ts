import { LRUCache } from "lru-cache";

/** Values by key, in memory; when it is full, the value that was used longest ago goes. */
export type Cache<V extends {}> = LRUCache<string, V>;

export interface CacheOptions<V> {
  /** How many values it holds, or how much of what `sizeOf` counts. */
  readonly maxSize: number;
  /** A positive whole number; each value counts as 1 when absent. */
  readonly sizeOf?: (value: V) => number;
  /** A value is gone when it is older. */
  readonly maxAgeMs?: number;
  /** For `maxAgeMs`; milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Creates an empty cache. Unlike with the library's own `max`, no memory is reserved for values that are not there yet. */
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
