import { setTimeout as delay } from "node:timers/promises";
import { LimitError } from "../errors.ts";
import type { RateLimit } from "./types.ts";

/** 500 megapixel images a minute; a call costs its input megapixels, rounded up, at least one (interface specification, limits). */
const defaultLimit = 500;
/** The window starts with the first call in it and is no calendar minute. */
const windowMs = 60_000;

export interface PacerOptions {
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface PaceRequest {
  /** Input size; one megapixel when unknown. */
  readonly megapixels?: number;
  /** Latest moment to start, in milliseconds since the epoch. */
  readonly deadlineAt?: number;
  readonly signal?: AbortSignal;
}

/** Keeps all calls made with one API key, whoever makes them, within the service's rate. */
export interface Pacer {
  /**
   * Resolves when the call may start, in the order of asking.
   * @throws LimitError `busy` when its turn would come after the deadline; the signal's reason when aborted.
   */
  admit(request?: PaceRequest): Promise<void>;
  /** Takes over what an answer said about the rate. */
  correct(rate: RateLimit): void;
}

/** One for each API key. */
export function createPacer({ now = Date.now, sleep = pause }: PacerOptions = {}): Pacer {
  let limit = defaultLimit;
  let left = defaultLimit;
  let resetAt = Number.NEGATIVE_INFINITY;
  /** Ends when everybody who asked before has started or gone. */
  let queue: Promise<void> = Promise.resolve();

  function startWindow(): void {
    if (now() < resetAt) return;
    resetAt = now() + windowMs;
    left = limit;
  }

  async function wait(cost: number, { deadlineAt = Infinity, signal }: PaceRequest): Promise<void> {
    signal?.throwIfAborted();
    for (startWindow(); left < Math.min(cost, limit); startWindow()) {
      if (resetAt > deadlineAt) throw busy(resetAt);
      await sleep(Math.max(resetAt - now(), 1), signal);
    }
    left -= cost;
  }

  return {
    async admit(request = {}) {
      const before = queue;
      const turn = before.then(() => wait(costOf(request.megapixels), request));
      queue = turn.catch(() => undefined);
      await orAborted(turn, request.signal);
    },
    correct(rate) {
      limit = Math.max(1, rate.limit);
      const stated = rate.resetAt.getTime();
      // An answer of an earlier window says nothing about this one.
      if (stated <= now() || stated > now() + 2 * windowMs) return;
      // Calls on their way are counted here and not there yet, so the lower figure holds.
      left = now() < resetAt ? Math.min(left, rate.remaining) : rate.remaining;
      resetAt = stated;
    },
  };
}

/** What one call takes from the minute. */
export function costOf(megapixels = 1): number {
  return Math.max(1, Math.ceil(megapixels));
}

function busy(resetAt: number): LimitError {
  return new LimitError("the megapixels of this minute are used up beyond the deadline", {
    code: "busy",
    hint: "Too many pictures are being worked on right now. Try again in a minute.",
    retryAt: new Date(resetAt),
  });
}

/** Leaves the queue at once when aborted, also while others are ahead. */
function orAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return turn;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    turn.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
