import { createCache } from "../../../cache.ts";

const most = 5_000;
const freshMs = 24 * 3_600_000;

/** What is known of things that were dealt with lately. */
export function createRecentCache<T extends string | number | boolean>(now: () => number) {
  return createCache<T>({
    maxSize: most,
    maxAgeMs: freshMs,
    now,
  });
}
