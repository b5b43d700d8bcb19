import { type Balance, createBalance } from "./balance.ts";
import { createPacer, type Pacer, type PacerOptions } from "./pace/pacer.ts";
import type { RateLimit, SeenRateLimit } from "./types.ts";

/** What one API key may do, for all clients that use it: its megapixels a minute, and its credits. */
export interface Allowance {
  readonly pacer: Pacer;
  readonly balance: Balance;
  readonly rateLimits: RateLimitCache;
}

/** One for each API key. */
export function createAllowance(options: PacerOptions = {}): Allowance {
  const { now = Date.now } = options;
  return {
    pacer: createPacer(options),
    balance: createBalance(now),
    rateLimits: createRateLimitCache(now),
  };
}

/** What one key's answers said last about its rate; many an answer says nothing. */
interface RateLimitCache {
  /** Of an answer that has just come. */
  learn(told: RateLimit | undefined): void;
  last(): SeenRateLimit | undefined;
}

function createRateLimitCache(now: () => number): RateLimitCache {
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
