import type { SpendingMeter } from "../budget/index.ts";
import type { Http, HttpRequest } from "../http/index.ts";
import { type CreditBalance, createCreditBalance } from "./balance.ts";
import { createPacer, type Pacer, type PacerOptions } from "./pace/pacer.ts";
import type { RateLimit, SeenRateLimit } from "./types.ts";

/** The limits of one API key, shared by all clients that use it: megapixels a minute, and credits. */
export interface KeyAllowance {
  readonly pacer: Pacer;
  readonly balance: CreditBalance;
  readonly rateLimits: ReturnType<typeof createRateLimitCache>;
}

/** What a client of one key works with. */
export interface KeyClient {
  readonly http: Http;
  readonly now: () => number;
  readonly allowance: KeyAllowance;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly reach: HttpRequest["reach"];
  readonly maxBytes: number;
  readonly credits: SpendingMeter;
  readonly tenant: string | undefined;
  readonly person: string | undefined;
}

/** One for each API key. */
export function createKeyAllowance(options: PacerOptions = {}): KeyAllowance {
  const { now = Date.now } = options;
  return {
    pacer: createPacer(options),
    balance: createCreditBalance(now),
    rateLimits: createRateLimitCache(now),
  };
}

/** The last rate limit that an answer to this key stated; many answers state none. */
function createRateLimitCache(now: () => number) {
  let last: SeenRateLimit | undefined;
  return {
    /** Stores the rate limit of an answer that has just arrived. */
    learn(stated: RateLimit | undefined): void {
      if (stated === undefined) return;
      // Of two answers within one window, the one with less remaining is the later one, whichever arrived first.
      const before = last?.resetAt.getTime() === stated.resetAt.getTime() ? last : undefined;
      const remaining = Math.min(stated.remaining, before?.remaining ?? Infinity);
      last = { ...stated, remaining, seenAt: new Date(now()) };
    },
    last: () => last,
  };
}
