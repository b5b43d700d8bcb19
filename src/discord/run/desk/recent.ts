import { LRUCache } from "lru-cache";

const most = 5_000;
const freshMs = 24 * 3_600_000;

/** What is known of things that were dealt with lately. */
export function createRecent<T extends string | number | boolean>(now: () => number) {
  return new LRUCache<string, T>({
    ...{ max: most, ttl: freshMs, ttlResolution: 0, perf: { now } },
  });
}
