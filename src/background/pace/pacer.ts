import { setTimeout as delay } from "node:timers/promises";
import { LimitError } from "../../errors.ts";
import { createFairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { QueuePlace, RateLimit } from "../types.ts";
import { type Expected, forecast } from "./forecast.ts";
import { corrected, costOf, firstWindow, givenBack, held, opensAt, taken } from "./window.ts";

export interface PacerOptions {
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls under way at once; 8 when absent. Fewer would be slow, more would leave nothing to share out. */
  readonly atOnce?: number;
}

export interface PaceRequest {
  /** Input size; one megapixel when unknown. */
  readonly megapixels?: number | undefined;
  /** Whose call it is: tenants take turns. */
  readonly tenant?: string | undefined;
  /** Who asked for it: a tenant's people take turns too. */
  readonly person?: string | undefined;
  /** Latest moment to start, in milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  /** Goes before all others: it had its turn, and the service sent it back. */
  readonly again?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told when the call has to wait, and whenever its place changes; what it throws ends the wait. */
  readonly onQueued?: ((place: QueuePlace) => void) | undefined;
}

/** A call that may be sent now. The first of its two ends counts. */
export interface Turn {
  /** It was answered, or failed on its way. */
  end(): void;
  /** It never left: what it took from the minute is given back. */
  cancel(): void;
}

/** Keeps all calls made with one API key, whoever makes them, within the service's rate. */
export interface Pacer {
  /**
   * Resolves when the call may start: tenant by tenant, person by person, each in their order of asking.
   * @throws LimitError `busy` as soon as its turn is expected after the deadline; the signal's reason when aborted.
   */
  admit(request?: PaceRequest): Promise<Turn>;
  /** Takes over what an answer said about the rate. */
  correct(rate: RateLimit): void;
  /** Lets nothing start until then, in milliseconds since the epoch: the service said so. */
  hold(until: number): void;
  /** Until when nothing may start; undefined when nothing is held. */
  heldUntil(): number | undefined;
  /** How many calls wait for their turn, and how many are under way. */
  load(): { readonly waiting: number; readonly running: number };
}

/** A call that waits for its turn. */
interface Waiting extends TurnTaker {
  readonly cost: number;
  readonly deadlineAt: number;
  readonly onQueued: PaceRequest["onQueued"];
  told: { readonly ahead: number; readonly startsAt: number } | undefined;
  readonly start: (turn: Turn) => void;
  readonly fail: (reason: unknown) => void;
}

const defaultAtOnce = 8;
/** How long a call takes, until some have shown it. */
const firstCallMs = 2_000;
/** What the latest call adds to the picture of how long calls take. */
const newest = 0.2;
/** A start that is expected sooner or later by less is no news. */
const newsMs = 1_000;
/** Timers end at once beyond 2^31 ms. */
const longestSleepMs = 600_000;

/** One for each API key. */
export function createPacer(options: PacerOptions = {}): Pacer {
  const { now = Date.now, sleep = pause, atOnce = defaultAtOnce } = options;
  const queue = createFairQueue<Waiting>();
  /** Calls under way, by when they started. */
  const running = new Set<{ readonly startedAt: number }>();
  let window = firstWindow;
  let callMs = firstCallMs;
  let wake: { readonly at: number; readonly abort: AbortController } | undefined;
  let isDue = false;

  /** Many changes of one moment are dealt with together. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      serve();
      tell();
      rest();
    });
  }

  function serve(): void {
    while (running.size < atOnce) {
      const time = now();
      const next = queue.take(({ cost }) => opensAt(window, cost, time) <= time);
      if (next === undefined) return;
      window = taken(window, next.cost, time);
      next.start(turnOf(next.cost, time));
    }
  }

  function turnOf(cost: number, startedAt: number): Turn {
    const call = { startedAt };
    const { startedAt: windowAt } = window;
    running.add(call);
    return {
      end() {
        if (!running.delete(call)) return;
        callMs += (now() - startedAt - callMs) * newest;
        changed();
      },
      cancel() {
        if (!running.delete(call)) return;
        window = givenBack(window, cost, windowAt);
        changed();
      },
    };
  }

  function tell(): void {
    for (const { one, ahead, startsAt, isLate } of expected()) {
      if (isLate) leave(one, busy(startsAt));
      else if (isNews(one.told, ahead, startsAt)) tellOne(one, ahead, startsAt);
    }
  }

  function tellOne(one: Waiting, ahead: number, startsAt: number): void {
    one.told = { ahead, startsAt };
    try {
      one.onQueued?.({ ahead, waitMs: Math.max(0, startsAt - now()) });
    } catch (error) {
      leave(one, error);
    }
  }

  function expected(): readonly Expected<Waiting>[] {
    const waiting = queue.lanes();
    if (waiting.length === 0) return [];
    const time = now();
    const ends = [...running].map(({ startedAt }) => Math.max(time, startedAt + callMs));
    const free = Array.from({ length: Math.max(atOnce - ends.length, 0) }, () => time);
    return forecast({ lanes: waiting, window, places: [...ends, ...free], callMs, now: time });
  }

  function leave(one: Waiting, reason: unknown): void {
    if (!queue.remove(one)) return;
    one.fail(reason);
    changed();
  }

  /** Sleeps until the next call may start; while all places are taken, the end of a call wakes. */
  function rest(): void {
    const heads = running.size < atOnce ? queue.lanes().map(([head]) => head?.cost ?? 0) : [];
    const at = Math.min(...heads.map((cost) => opensAt(window, cost, now())));
    if (wake?.at === at) return;
    wake?.abort.abort();
    wake = undefined;
    if (heads.length > 0) sleepUntil(at);
  }

  function sleepUntil(at: number): void {
    const mine = { at, abort: new AbortController() };
    wake = mine;
    const ms = Math.min(Math.max(at - now(), 1), longestSleepMs);
    const woken = () => {
      if (wake !== mine) return;
      wake = undefined;
      changed();
    };
    // A sleep that is broken off has another in its place, or nobody who waits.
    sleep(ms, mine.abort.signal).then(woken, woken);
  }

  return {
    admit(request = {}) {
      const { megapixels, tenant = "", person = "", deadlineAt = Infinity } = request;
      const { again, signal, onQueued } = request;
      return new Promise<Turn>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => leave(one, signal?.reason);
        const settled = () => signal?.removeEventListener("abort", onAbort);
        const one: Waiting = {
          tenant,
          person,
          cost: costOf(megapixels),
          deadlineAt,
          onQueued,
          told: undefined,
          start: (turn) => {
            settled();
            resolve(turn);
          },
          fail: (reason) => {
            settled();
            reject(reason);
          },
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        if (again === true) queue.addFirst(one);
        else queue.add(one);
        changed();
      });
    },
    correct(rate) {
      window = corrected(window, rate, now());
      changed();
    },
    hold(until) {
      window = held(window, until);
      changed();
    },
    load: () => ({
      waiting: queue.order().length,
      running: running.size,
    }),
    heldUntil: () => (now() < window.heldUntil ? window.heldUntil : undefined),
  };
}

function isNews(told: Waiting["told"], ahead: number, startsAt: number): boolean {
  if (told === undefined || told.ahead !== ahead) return true;
  return Math.abs(told.startsAt - startsAt) >= newsMs;
}

function busy(startsAt: number): LimitError {
  return new LimitError("the megapixels of this minute are used up beyond the deadline", {
    code: "busy",
    hint: "Too many pictures are being worked on right now. Try again in a minute.",
    retryAt: new Date(startsAt),
  });
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
