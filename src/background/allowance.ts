import { type Balance, createBalance } from "./balance.ts";
import { createPacer, type Pacer, type PacerOptions } from "./pace/pacer.ts";
import { createRateLimitCache, type RateLimitCache } from "./rate-limit-cache.ts";

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
