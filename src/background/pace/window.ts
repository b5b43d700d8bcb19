import type { RateLimit } from "../types.ts";

/** 500 megapixel images a minute; a call costs its input megapixels, rounded up, at least one (interface specification, limits). */
const defaultLimit = 500;
/** A window starts with the first call in it and is no calendar minute. */
const windowMs = 60_000;

/** The megapixels of the running minute. Times are milliseconds since the epoch. */
export interface Window {
  readonly startedAt: number;
  readonly resetAt: number;
  readonly limit: number;
  readonly left: number;
  /** Nothing may start before, whatever is left. */
  readonly heldUntil: number;
}

export const firstWindow: Window = {
  startedAt: Number.NEGATIVE_INFINITY,
  resetAt: Number.NEGATIVE_INFINITY,
  limit: defaultLimit,
  left: defaultLimit,
  heldUntil: Number.NEGATIVE_INFINITY,
};

/** What one call takes from the minute; what is no number takes as much as an unknown size. */
export function costOf(megapixels = 1): number {
  return megapixels > 0 ? Math.ceil(megapixels) : 1;
}

/** Earliest moment from `at` on when a call of this cost may start; one of more than a minute's worth gets a fresh minute. */
export function opensAt(
  { resetAt, left, limit, heldUntil }: Window,
  cost: number,
  at: number,
): number {
  const from = Math.max(at, heldUntil);
  return from >= resetAt || left >= Math.min(cost, limit) ? from : resetAt;
}

/** After a call has started. */
export function taken(window: Window, cost: number, at: number): Window {
  const { limit, left, resetAt } = window;
  if (at < resetAt) return { ...window, left: left - cost };
  return { ...window, startedAt: at, resetAt: at + windowMs, left: limit - cost };
}

/** After a call that started in the window of `startedAt` turned out not to leave. */
export function givenBack(window: Window, cost: number, startedAt: number): Window {
  return window.startedAt === startedAt ? { ...window, left: window.left + cost } : window;
}

/** After an answer told its rate. */
export function corrected(window: Window, rate: RateLimit, now: number): Window {
  const limit = Math.max(1, rate.limit);
  const stated = rate.resetAt.getTime();
  // An answer of an earlier window says nothing about this one, and a hold is the later word.
  const isOfNow = stated > now && stated <= now + 2 * windowMs && now >= window.heldUntil;
  if (!isOfNow) return { ...window, limit };
  // Calls on their way are counted here and not there yet, so the lower figure holds.
  const left = now < window.resetAt ? Math.min(window.left, rate.remaining) : rate.remaining;
  return { ...window, limit, left, resetAt: stated };
}

/** After the service said to wait: its next window begins then, and ours with it. */
export function held(window: Window, until: number): Window {
  if (until <= window.heldUntil) return window;
  return { ...window, left: 0, resetAt: until, heldUntil: until };
}
