import { backOffMs, waitUnlessAborted } from "../clock.ts";
import { ConnectError } from "../errors.ts";
import { creditsGone } from "./failure.ts";
import type { ResultSize } from "./parameters.ts";
import type { CreditAccount } from "./types.ts";

/**
 * The balance lags by seconds and must not be polled (docs/services/removebg.md#account). The second request comes soon,
 * for people who have just bought credits; each further one waits twice as long.
 */
const requestGap = { firstMs: 1_000, longestMs: 30_000 } as const;

const fullPriceCredits = 1;
const smallPriceCredits = 0.25;
/** With `size=auto`, a picture of up to this many megapixels costs the small price. */
const maxSmallMegapixels = 0.25;

const smallSizes: readonly ResultSize[] = ["preview", "small", "regular"];

export type CreditBalance = ReturnType<typeof createCreditBalance>;

/** Most credits that a call takes: docs/services/removebg.md#sizes */
export function estimatePrice(size: ResultSize = "auto", megapixels?: number): number {
  if (smallSizes.includes(size)) return smallPriceCredits;
  const isSmall = size === "auto" && megapixels !== undefined && megapixels <= maxSmallMegapixels;
  return isSmall ? smallPriceCredits : fullPriceCredits;
}

/** Remembers whether the credits of one key are used up. */
export function createCreditBalance(now: () => number) {
  /** Since when the credits are gone, and what the account has returned since. */
  let gone: { readonly since: number; readonly account?: CreditAccount } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let requests = 1;
  let pendingRequest: Promise<unknown> | undefined;

  function refuses(priceCredits: number): boolean {
    if (gone === undefined) return false;
    return gone.account === undefined || !affords(gone.account, priceCredits);
  }

  function askAgain(ask: () => Promise<unknown>): Promise<unknown> | undefined {
    if (pendingRequest !== undefined || now() < askedAt + backOffMs(requests, requestGap))
      return pendingRequest;
    const isFresh = now() >= askedAt + 2 * requestGap.longestMs;
    requests = isFresh ? 1 : requests + 1;
    askedAt = now();
    pendingRequest = ask().finally(() => {
      pendingRequest = undefined;
    });
    return pendingRequest;
  }

  return {
    /**
     * Resolves when a call of this price may be sent. Once the credits are gone, `ask` reads the account. All callers share
     * one request, and requests are not frequent.
     * @throws LimitError `credits_gone`; ConnectError when the account refuses the key; the signal's reason.
     */
    async require(
      priceCredits: number,
      ask: () => Promise<unknown>,
      signal?: AbortSignal,
    ): Promise<void> {
      if (!refuses(priceCredits)) return;
      const request = askAgain(ask);
      // A caller that is aborted must not end the request for the others.
      const cause: unknown =
        request &&
        (await waitUnlessAborted(request, signal).then(
          () => undefined,
          (error: unknown) => error,
        ));
      signal?.throwIfAborted();
      if (cause instanceof ConnectError) throw cause;
      if (refuses(priceCredits))
        throw creditsGone("no credits since a call was refused", { cause });
    },
    /** remove.bg refused a call because the credits are gone. */
    exhaust(): void {
      gone = { since: now() };
    },
    /** Stores what the account returned; `at` is when the request was sent. */
    learn(account: CreditAccount, at: number): void {
      askedAt = Math.max(askedAt, at);
      if (gone === undefined || at < gone.since) return;
      gone = affords(account, fullPriceCredits) ? undefined : { since: gone.since, account };
    },
  };
}

/** It is not documented whether free calls cover more than previews, so they count for those alone. */
function affords({ credits, api }: CreditAccount, priceCredits: number): boolean {
  return credits.total >= priceCredits || (priceCredits <= smallPriceCredits && api.freeCalls >= 1);
}
