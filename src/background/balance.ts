import { abortable, backOffMs } from "../clock.ts";
import { ConnectError } from "../errors.ts";
import { creditsGone } from "./failure.ts";
import type { Account, Size } from "./types.ts";

/**
 * The balance lags by seconds and must not be polled (facts, endpoints): the second question comes soon, for whoever has
 * just bought credits, and each further one after twice the time.
 */
const gap = { firstMs: 1_000, longestMs: 30_000 } as const;

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
  let questions = 1;
  let asking: Promise<unknown> | undefined;

  function refuses(price: number): boolean {
    if (gone === undefined) return false;
    return gone.account === undefined || !affords(gone.account, price);
  }

  function askAgain(ask: () => Promise<unknown>): Promise<unknown> | undefined {
    if (asking !== undefined || now() < askedAt + backOffMs(questions, gap)) return asking;
    const isFresh = now() >= askedAt + 2 * gap.longestMs;
    questions = isFresh ? 1 : questions + 1;
    askedAt = now();
    asking = ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    async require(price, ask, signal) {
      if (!refuses(price)) return;
      const question = askAgain(ask);
      // One caller who loses patience does not end the question for the others.
      const cause = await failureOf(question && abortable(question, signal));
      signal?.throwIfAborted();
      if (cause instanceof ConnectError) throw cause;
      if (refuses(price)) throw creditsGone("no credits since a call was refused", { cause });
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
