import { ConnectError } from "../errors.ts";
import { creditsGone } from "./failure.ts";
import type { Account, Size } from "./types.ts";

/**
 * The balance lags by seconds and is not to be polled (facts, endpoints): whoever bought credits soon gets on, and
 * between further questions lies twice as long each time.
 */
const firstGapMs = 1_000;
const longestGapMs = 30_000;

const fullPrice = 1;
const smallPrice = 0.25;
/** Most megapixels that cost the small price with `size=auto` (facts, sizes). */
const smallMegapixels = 0.25;

const smallSizes: readonly Size[] = ["preview", "small", "regular"];

/** Whether one key's credits are known to be gone. */
export interface Balance {
  /**
   * Resolves when a call of this price may be sent. Once the credits are gone, the account is asked, by one caller for
   * all and not too often.
   * @throws LimitError `credits_gone`; ConnectError when the account refuses the key; the signal's reason.
   */
  require(price: number, ask: () => Promise<unknown>, signal?: AbortSignal): Promise<void>;
  /** The service refused a call for want of credits. */
  exhaust(): void;
  /** What the account told when it was asked at that moment. */
  learn(account: Account, askedAt: number): void;
}

/** Credits that a call takes at most (facts, sizes). */
export function priceOf(size: Size = "auto", megapixels?: number): number {
  if (smallSizes.includes(size)) return smallPrice;
  const isSmall = size === "auto" && megapixels !== undefined && megapixels <= smallMegapixels;
  return isSmall ? smallPrice : fullPrice;
}

export function createBalance(now: () => number): Balance {
  /** Since when credits are gone, and what the account has told since. */
  let gone: { readonly since: number; readonly account?: Account } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let gapMs = firstGapMs;
  let asking: Promise<unknown> | undefined;

  function refuses(price: number): boolean {
    if (gone === undefined) return false;
    return gone.account === undefined || !affords(gone.account, price);
  }

  function askAgain(ask: () => Promise<unknown>): Promise<unknown> | undefined {
    if (asking !== undefined || now() < askedAt + gapMs) return asking;
    const isFresh = now() >= askedAt + 2 * longestGapMs;
    gapMs = isFresh ? firstGapMs : Math.min(gapMs * 2, longestGapMs);
    askedAt = now();
    asking = ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    async require(price, ask, signal) {
      if (!refuses(price)) return;
      const reason = await failureOf(orAborted(askAgain(ask), signal));
      if (reason instanceof ConnectError || signal?.aborted) throw reason;
      if (refuses(price))
        throw creditsGone("no credits since a call was refused", { cause: reason });
    },
    exhaust() {
      gone = { since: now() };
    },
    learn(account, at) {
      askedAt = Math.max(askedAt, at);
      if (gone === undefined || at < gone.since) return;
      gone = affords(account, fullPrice) ? undefined : { since: gone.since, account };
    },
  };
}

/** Whether free calls serve more than previews is not documented; a preview's worth is certain. */
function affords({ credits, api }: Account, price: number): boolean {
  return credits.total >= price || (price <= smallPrice && api.freeCalls >= 1);
}

async function failureOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}

/** One caller who loses patience does not end the question for the others. */
function orAborted<T>(promise: Promise<T> | undefined, signal: AbortSignal | undefined) {
  if (promise === undefined || signal === undefined) return promise;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
