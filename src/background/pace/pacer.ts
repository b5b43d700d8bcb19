import { LimitError } from "../../errors.ts";
import { createFairQueue, type FairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { QueuePlace, RateLimit } from "../types.ts";
import { createAlarm, realSleep, type Sleep } from "./alarm.ts";
import { type ExpectedStart, forecast } from "./forecast.ts";
import {
  corrected,
  costOf,
  firstWindow,
  givenBack,
  held,
  opensAt,
  taken,
  type Window,
} from "./window.ts";

export interface PacerOptions {
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Real time when absent. */
  readonly sleep?: Sleep;
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

interface PacerState {
  readonly now: () => number;
  readonly atOnce: number;
  readonly queue: FairQueue<Waiting>;
  /** Calls under way, by when they started. */
  readonly running: Set<{ readonly startedAt: number }>;
  /** Something has changed that may let calls start, or start at another time. */
  readonly changed: () => void;
  window: Window;
  callMs: number;
}

/** One for each API key. */
export function createPacer(options: PacerOptions = {}): Pacer {
  const { now = Date.now, sleep = realSleep, atOnce = defaultAtOnce } = options;
  const queue = createFairQueue<Waiting>();
  const counts = { window: firstWindow, callMs: firstCallMs };
  const state: PacerState = { now, atOnce, queue, running: new Set(), changed, ...counts };
  const alarm = createAlarm({ now, sleep }, changed);
  let isDue = false;

  /** Many changes of one moment are dealt with together. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      serve(state);
      tell(state);
      alarm.set(nextStart(state));
    });
  }

  return {
    admit: (request = {}) => admit(state, request),
    correct(rate) {
      state.window = corrected(state.window, rate, now());
      changed();
    },
    hold(until) {
      state.window = held(state.window, until);
      changed();
    },
    load: () => ({ waiting: queue.order().length, running: state.running.size }),
    heldUntil: () => (now() < state.window.heldUntil ? state.window.heldUntil : undefined),
  };
}

function admit(state: PacerState, request: PaceRequest): Promise<Turn> {
  const { megapixels, tenant = "", person = "", deadlineAt = Infinity } = request;
  const { again, signal, onQueued } = request;
  return new Promise<Turn>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => leave(state, one, signal?.reason);
    const settled = () => signal?.removeEventListener("abort", onAbort);
    const one: Waiting = {
      ...{ tenant, person, cost: costOf(megapixels), deadlineAt, onQueued, told: undefined },
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
    if (again === true) state.queue.addFirst(one);
    else state.queue.add(one);
    state.changed();
  });
}

function leave({ queue, changed }: PacerState, one: Waiting, reason: unknown): void {
  if (!queue.remove(one)) return;
  one.fail(reason);
  changed();
}

function serve(state: PacerState): void {
  while (state.running.size < state.atOnce) {
    const time = state.now();
    const next = state.queue.take(({ cost }) => opensAt(state.window, cost, time) <= time);
    if (next === undefined) return;
    state.window = taken(state.window, next.cost, time);
    next.start(turnOf(state, next.cost, time));
  }
}

function turnOf(state: PacerState, cost: number, startedAt: number): Turn {
  const { running, changed, now } = state;
  const call = { startedAt };
  const { startedAt: windowAt } = state.window;
  running.add(call);
  return {
    end() {
      if (!running.delete(call)) return;
      state.callMs += (now() - startedAt - state.callMs) * newest;
      changed();
    },
    cancel() {
      if (!running.delete(call)) return;
      state.window = givenBack(state.window, cost, windowAt);
      changed();
    },
  };
}

/** Tells those who wait when they start, and refuses those who would start too late. */
function tell(state: PacerState): void {
  for (const { one, ahead, startsAt, isLate } of expected(state)) {
    if (isLate) leave(state, one, busy(startsAt));
    else if (isNews(one.told, ahead, startsAt)) tellOne(state, one, { ahead, startsAt });
  }
}

function tellOne(state: PacerState, one: Waiting, place: NonNullable<Waiting["told"]>): void {
  const { ahead, startsAt } = place;
  one.told = place;
  try {
    one.onQueued?.({ ahead, waitMs: Math.max(0, startsAt - state.now()) });
  } catch (error) {
    leave(state, one, error);
  }
}

function expected(state: PacerState): readonly ExpectedStart<Waiting>[] {
  const { now, atOnce, queue, running, window, callMs } = state;
  const lanes = queue.lanes();
  if (lanes.length === 0) return [];
  const time = now();
  const ends = [...running].map(({ startedAt }) => Math.max(time, startedAt + callMs));
  const free = Array.from({ length: Math.max(atOnce - ends.length, 0) }, () => time);
  return forecast({ lanes, window, places: [...ends, ...free], callMs, now: time });
}

/** When the next call may start; undefined when none waits, or while all places are taken: then the end of a call wakes. */
function nextStart({ now, atOnce, queue, running, window }: PacerState): number | undefined {
  const heads = running.size < atOnce ? queue.lanes().map(([head]) => head?.cost ?? 0) : [];
  if (heads.length === 0) return undefined;
  return Math.min(...heads.map((cost) => opensAt(window, cost, now())));
}

function isNews(told: Waiting["told"], ahead: number, startsAt: number): boolean {
  if (told === undefined || told.ahead !== ahead) return true;
  return Math.abs(told.startsAt - startsAt) >= newsMs;
}

function busy(startsAt: number): LimitError {
  return new LimitError("the megapixels of this minute are used up beyond the deadline", {
    code: "busy",
    retryAt: new Date(startsAt),
  });
}
