import { BackgroundError } from "./errors.ts";
import type { BackgroundResultSize } from "./request/job.ts";

const windowMs = 60_000;
/** How many of the credits that an account starts with were bought one by one. */
const mostPayg = 10;
/** What an account without a limit reports as its credits. */
const plenty = 1_000_000;
const smallPixels = 250_000;
const smallSizes: readonly BackgroundResultSize[] = ["preview", "small", "regular"];

export interface RateWindowState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** What a call takes from the account. */
export interface CreditCharge {
  /** The size that it is made in: `auto` makes do with a preview when there is no credit for more. */
  readonly size: BackgroundResultSize;
  /** May have fractions; 0 for a free call. */
  readonly credits: number;
  readonly fromSubscription: number;
  readonly isFree: boolean;
}

export interface CreditAccountOptions {
  /** Credits at the start; with Infinity nothing is ever charged. */
  readonly credits: number;
  /** Previews a calendar month (UTC) that cost nothing; none when absent. */
  readonly freeCalls?: number;
  /** The rate limit, 500 when absent; with Infinity there is none. */
  readonly megapixelsPerMinute?: number;
  readonly now: () => number;
}

/** Credits and megapixels of one key. */
export interface StoredCreditAccount {
  /** Takes the picture's megapixels from this minute, or refuses with 429; undefined without a rate limit. */
  admit(pixels: number): RateWindowState | undefined;
  /** Takes what this size costs, the subscription's credits first, or refuses with 402. */
  charge(size: BackgroundResultSize, pixels: number): CreditCharge;
  /** Gives back what a call took that failed in the end. */
  refund(charge: CreditCharge): void;
  /** The body of GET /account. */
  account(): object;
}

export function createCreditAccount(options: CreditAccountOptions): StoredCreditAccount {
  const { credits, freeCalls = 0, megapixelsPerMinute: limit = 500, now } = options;
  const isEndless = credits === Number.POSITIVE_INFINITY;
  let payg = isEndless ? 0 : Math.min(credits, mostPayg);
  let subscription = isEndless ? plenty : credits - payg;
  let month = { name: formatMonth(now()), left: freeCalls };

  function freeCallsLeft(): number {
    const name = formatMonth(now());
    if (name !== month.name) month = { name, left: freeCalls };
    return month.left;
  }

  function settle(
    size: BackgroundResultSize,
    pixels: number,
  ): Pick<CreditCharge, "size" | "credits" | "isFree"> {
    const isSmall = smallSizes.includes(size) || (size === "auto" && pixels <= smallPixels);
    if (isSmall && freeCallsLeft() > 0) return { size, credits: 0, isFree: true };
    const cost = isSmall ? 0.25 : 1;
    if (isEndless) return { size, credits: 0, isFree: false };
    if (cost <= subscription + payg) return { size, credits: cost, isFree: false };
    if (size === "auto" && !isSmall) return settle("preview", pixels);
    throw new BackgroundError(402, [{ title: "Insufficient credits" }]);
  }

  return {
    admit: createRateWindow(limit, now),
    charge(size, pixels) {
      const settled = settle(size, pixels);
      const fromSubscription = Math.min(settled.credits, subscription);
      if (settled.isFree) month.left -= 1;
      subscription -= fromSubscription;
      payg -= settled.credits - fromSubscription;
      return { ...settled, fromSubscription };
    },
    refund({ credits: taken, fromSubscription, isFree }) {
      if (isFree) month.left += 1;
      subscription += fromSubscription;
      payg += taken - fromSubscription;
    },
    account: () => ({
      data: {
        attributes: {
          credits: { total: subscription + payg, subscription, payg, enterprise: 0 },
          api: { free_calls: freeCallsLeft(), sizes: "all" },
        },
      },
    }),
  };
}

/** Counts megapixels a minute, which starts with the first call and not with the clock's minute. */
function createRateWindow(limit: number, now: () => number): StoredCreditAccount["admit"] {
  let window = { start: Number.NEGATIVE_INFINITY, used: 0 };
  return (pixels) => {
    if (limit === Number.POSITIVE_INFINITY) return undefined;
    const megapixels = Math.max(1, Math.ceil(pixels / 1e6));
    if (now() >= window.start + windowMs) window = { start: now(), used: 0 };
    const resetMs = window.start + windowMs;
    if (window.used + megapixels > limit) {
      const seconds = Math.max(1, Math.ceil((resetMs - now()) / 1000));
      throw new BackgroundError(429, [{ title: "Rate limit exceeded" }], {
        "Retry-After": `${seconds}`,
      });
    }
    window.used += megapixels;
    return { limit, remaining: limit - window.used, reset: Math.ceil(resetMs / 1000) };
  };
}

function formatMonth(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
