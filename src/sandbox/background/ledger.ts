import type { Size } from "./job.ts";
import { Refusal } from "./refusals.ts";

const megapixelsPerMinute = 500;
const windowMs = 60_000;

export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** Credits and megapixels of one key. */
export interface Ledger {
  /** Takes the picture's megapixels from this minute, or refuses with 429. */
  admit(pixels: number): Rate;
  /** Takes what this size costs, or refuses with 402. */
  charge(size: Size, pixels: number): number;
  /** Gives back what a call took that failed in the end. */
  refund(credits: number): void;
  /** The body of GET /account. */
  account(): object;
}

export function createLedger(credits: number, now: () => number): Ledger {
  // Subscription credits are spent first, pay-as-you-go after them.
  let payg = Math.min(credits, 10);
  let subscription = credits - payg;
  let window = { start: Number.NEGATIVE_INFINITY, used: 0 };

  return {
    admit(pixels) {
      const megapixels = Math.max(1, Math.ceil(pixels / 1e6));
      // The minute starts with the first call, not with the clock's minute.
      if (now() >= window.start + windowMs) window = { start: now(), used: 0 };
      const resetMs = window.start + windowMs;
      if (window.used + megapixels > megapixelsPerMinute) {
        const seconds = Math.max(1, Math.ceil((resetMs - now()) / 1000));
        throw new Refusal(429, [{ title: "Rate limit exceeded" }], { "Retry-After": `${seconds}` });
      }
      window.used += megapixels;
      return {
        limit: megapixelsPerMinute,
        remaining: megapixelsPerMinute - window.used,
        reset: Math.ceil(resetMs / 1000),
      };
    },
    charge(size, pixels) {
      const isSmall =
        size === "auto" ? pixels <= 250_000 : ["preview", "small", "regular"].includes(size);
      const cost = isSmall ? 0.25 : 1;
      if (cost > subscription + payg) throw new Refusal(402, [{ title: "Insufficient credits" }]);
      const first = Math.min(cost, subscription);
      subscription -= first;
      payg -= cost - first;
      return cost;
    },
    refund(cost) {
      subscription += cost;
    },
    account: () => ({
      data: {
        attributes: {
          credits: { total: subscription + payg, subscription, payg, enterprise: 0 },
          api: { free_calls: 0, sizes: "all" },
        },
      },
    }),
  };
}
