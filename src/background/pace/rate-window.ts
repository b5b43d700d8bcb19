import type { RateLimit } from "../types.ts";

/** Megapixels a minute. A call costs those of its input, rounded up, at least one: docs/services/removebg.md#rate */
const defaultLimit = 500;
/** A window starts with its first call; it is no calendar minute. */
const windowMs = 60_000;

/** The megapixels of the running window. Times are milliseconds since the epoch. */
export interface RateWindow {
  readonly startedAt: number;
  readonly resetAt: number;
  readonly limit: number;
  readonly left: number;
  /** Nothing may start before this time, whatever is left. */
  readonly heldUntil: number;
}

/** The window of a key that was not used yet. */
export const firstRateWindow: RateWindow = {
  startedAt: 0,
  resetAt: 0,
  limit: defaultLimit,
  left: defaultLimit,
  heldUntil: 0,
};

/** Where the window of one API key is kept, for all processes that use the key. */
export interface SharedRateWindow {
  /**
   * Replaces the window by what `make` returns for it; nobody changes it in between. If that is the very same object, nothing
   * is written. `make` may be called several times. Resolves with the window after that, and never rejects.
   */
  change(make: (window: RateWindow) => RateWindow): Promise<RateWindow>;
}

/** For a key that this process alone uses. */
export function createRateWindow(): SharedRateWindow {
  let window = firstRateWindow;
  return {
    change: async (make) => {
      window = make(window);
      return window;
    },
  };
}

/** Megapixels that one call takes from the window; NaN and 0 count like an unknown size. */
export function megapixelCost(megapixels = 1): number {
  return megapixels > 0 ? Math.ceil(megapixels) : 1;
}

/** Earliest time from `at` on when a call of this cost may start; a call larger than a whole window gets a fresh one. */
export function earliestStart(
  { resetAt, left, limit, heldUntil }: RateWindow,
  cost: number,
  at: number,
): number {
  const from = Math.max(at, heldUntil);
  return from >= resetAt || left >= Math.min(cost, limit) ? from : resetAt;
}

/** The window after a call has started. */
export function windowAfterStart(window: RateWindow, cost: number, at: number): RateWindow {
  const { limit, left, resetAt } = window;
  if (at < resetAt) return { ...window, left: left - cost };
  return { ...window, startedAt: at, resetAt: at + windowMs, left: limit - cost };
}

/** The window after a call that started in it was not sent after all; `startedAt` identifies that window. */
export function windowAfterCancel(window: RateWindow, cost: number, startedAt: number): RateWindow {
  return window.startedAt === startedAt ? { ...window, left: window.left + cost } : window;
}

/** The window after an answer stated the rate. */
export function windowAfterAnswer(window: RateWindow, rate: RateLimit, now: number): RateWindow {
  const limit = Math.max(1, rate.limit);
  const stated = rate.resetAt.getTime();
  // An answer to an earlier window says nothing about this one, and a hold is newer than any answer.
  const isCurrent = stated > now && stated <= now + 2 * windowMs && now >= window.heldUntil;
  if (!isCurrent) return limit === window.limit ? window : { ...window, limit };
  // Calls on their way are counted here and not yet by remove.bg, so the lower figure applies.
  const left = now < window.resetAt ? Math.min(window.left, rate.remaining) : rate.remaining;
  const isKnown = left === window.left && limit === window.limit && stated === window.resetAt;
  return isKnown ? window : { ...window, limit, left, resetAt: stated };
}

/** The window after remove.bg said to wait: its next window begins then, and so does ours. */
export function windowAfterHold(window: RateWindow, until: number): RateWindow {
  if (until <= window.heldUntil) return window;
  return { ...window, left: 0, resetAt: until, heldUntil: until };
}
