import type { RateLimit, SeenRateLimit } from "./types.ts";

/** What one key's answers said last about its rate; many an answer says nothing. */
export interface RateLimitCache {
  /** Of an answer that has just come. */
  learn(told: RateLimit | undefined): void;
  last(): SeenRateLimit | undefined;
}

export function createRateLimitCache(now: () => number): RateLimitCache {
  let last: SeenRateLimit | undefined;
  return {
    learn(told) {
      if (told === undefined) return;
      // Of two answers of one minute, the one that left less was given later, whichever came first.
      const before = last?.resetAt.getTime() === told.resetAt.getTime() ? last : undefined;
      const remaining = Math.min(told.remaining, before?.remaining ?? Infinity);
      last = { ...told, remaining, seenAt: new Date(now()) };
    },
    last: () => last,
  };
}
