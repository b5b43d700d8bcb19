import { LimitError } from "../../errors.ts";
import { createFairQueue, type FairQueue, type TurnTaker } from "../../fair-queue.ts";
import type { QueuePlace, RateLimit } from "../types.ts";
import { type AbortableSleep, createAlarm, realSleep } from "./alarm.ts";
import { type ExpectedStart, forecast } from "./forecast.ts";
import {
  createRateWindow,
  earliestStart,
  firstRateWindow,
  megapixelCost,
  type RateWindow,
  type SharedRateWindow,
  windowAfterAnswer,
  windowAfterCancel,
  windowAfterHold,
  windowAfterStart,
} from "./rate-window.ts";

export interface PacerOptions {
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Real time when absent. */
  readonly sleep?: AbortableSleep;
  /** Where the key's window is kept; in this process when absent. */
  readonly shared?: SharedRateWindow | undefined;
  /** Calls under way at once; 8 when absent. Fewer would be slow, more would leave no turns to share out. */
  readonly atOnce?: number;
}

export interface PaceRequest {
  /** Input size; one megapixel when unknown. */
  readonly megapixels?: number | undefined;
  /** Whose call it is, such as a server: tenants take turns. */
  readonly tenant?: string | undefined;
  /** Who asked for it: the people of a tenant take turns too. */
  readonly person?: string | undefined;
  /** Latest time to start, in milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  /** It goes before all others: it already had its turn, and remove.bg answered "too fast". */
  readonly isRepeat?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the call has to wait, and whenever its place changes; an error thrown by it ends the wait. */
  readonly onQueued?: ((place: QueuePlace) => void) | undefined;
}

/** A call that may be sent now. Only the first call of `end` or `cancel` counts. */
export interface PacerTurn {
  /** The call was answered, or failed after it had left. */
  end(): void;
  /** The call never left: its megapixels are given back. */
  cancel(): void;
}

export type Pacer = ReturnType<typeof createPacer>;

/** A call that waits for its turn. */
interface WaitingCall extends TurnTaker {
  readonly cost: number;
  readonly deadlineAt: number;
  readonly onQueued: PaceRequest["onQueued"];
  lastForecast: { readonly ahead: number; readonly startsAt: number } | undefined;
  /** It is in the queue, or its megapixels are being taken. */
  isWaiting: boolean;
  readonly start: (turn: PacerTurn) => void;
  readonly fail: (reason: unknown) => void;
}

const defaultAtOnce = 8;
/** How long a call is assumed to take before any has ended. */
const firstCallMs = 2_000;
/** Weight of the latest call in the moving average of how long calls take. */
const latestWeight = 0.2;
/** A forecast that changes by less is not reported. */
const minChangeMs = 1_000;

interface PacerState {
  readonly now: () => number;
  readonly atOnce: number;
  readonly queue: FairQueue<WaitingCall>;
  /** Calls under way, by when they started. */
  readonly running: Set<{ readonly startedAt: number }>;
  /** Must be called after any change that may let calls start, or start at another time. */
  readonly changed: () => void;
  readonly shared: SharedRateWindow;
  /** The window as this process saw it last. Another process may have taken from it since. */
  window: RateWindow;
  callMs: number;
}

/** Keeps all calls of one API key within remove.bg's rate. */
export function createPacer(options: PacerOptions = {}) {
  const { now = Date.now, sleep = realSleep, atOnce = defaultAtOnce } = options;
  const { shared = createRateWindow() } = options;
  const queue = createFairQueue<WaitingCall>();
  const counts = { window: firstRateWindow, callMs: firstCallMs };
  const state: PacerState = { now, atOnce, queue, running: new Set(), changed, shared, ...counts };
  const alarm = createAlarm({ now, sleep }, changed);
  let isDue = false;
  let isServing = false;

  /** Deals with all changes of one moment together. */
  function changed(): void {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      if (!isServing) void serveAll();
    });
  }

  async function serveAll(): Promise<void> {
    isServing = true;
    while (isDue) {
      isDue = false;
      await serve(state);
    }
    isServing = false;
    reportForecast(state);
    alarm.set(nextStart(state));
  }

  const change = (make: (window: RateWindow) => RateWindow) =>
    changeWindow(state, make).then(changed);

  return {
    /**
     * Resolves when the call may start: tenants take turns, and so do the people of one tenant.
     * @throws LimitError `busy` as soon as the turn is expected only after the deadline; the signal's reason when aborted.
     */
    admit: (request: PaceRequest = {}) => admit(state, request),
    /** Corrects the counted rate by what an answer stated. */
    correct: (rate: RateLimit) => change((window) => windowAfterAnswer(window, rate, now())),
    /** Lets nothing start until then (milliseconds since the epoch), because remove.bg said so. */
    hold: (until: number) => change((window) => windowAfterHold(window, until)),
    /** How many calls wait for their turn, and how many are under way. */
    load: () => ({ waiting: queue.order().length, running: state.running.size }),
    /** Until when nothing may start; undefined when nothing is held. */
    async heldUntil(): Promise<number | undefined> {
      const { heldUntil } = await changeWindow(state, (window) => window);
      return now() < heldUntil ? heldUntil : undefined;
    },
    /** Whether calls wait or are under way, or nothing may start, as far as this process knows. */
    isBusy: () => queue.order().length + state.running.size > 0 || now() < state.window.heldUntil,
  };
}

function admit(state: PacerState, request: PaceRequest): Promise<PacerTurn> {
  const { megapixels, tenant = "", person = "", deadlineAt = Infinity } = request;
  const { isRepeat = false, signal, onQueued } = request;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<PacerTurn>();
  const one: WaitingCall = {
    tenant,
    person,
    cost: megapixelCost(megapixels),
    deadlineAt,
    onQueued,
    lastForecast: undefined,
    isWaiting: true,
    start: resolve,
    fail: reject,
  };
  const onAbort = () => leave(state, one, signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (isRepeat) state.queue.addFirst(one);
  else state.queue.add(one);
  state.changed();
  return promise.finally(() => signal?.removeEventListener("abort", onAbort));
}

function leave({ queue, changed }: PacerState, one: WaitingCall, reason: unknown): void {
  if (!one.isWaiting) return;
  one.isWaiting = false;
  queue.remove(one);
  one.fail(reason);
  changed();
}

async function changeWindow(
  state: PacerState,
  make: (window: RateWindow) => RateWindow,
): Promise<RateWindow> {
  state.window = await state.shared.change(make);
  return state.window;
}

/** Starts calls as long as there are slots and megapixels. */
async function serve(state: PacerState): Promise<void> {
  while (state.running.size < state.atOnce) {
    const time = state.now();
    const next = state.queue.take(({ cost }) => earliestStart(state.window, cost, time) <= time);
    if (next === undefined) return;
    const startedAt = await takeMegapixels(state, next.cost);
    if (!next.isWaiting) {
      if (startedAt !== undefined) await giveBack(state, next.cost, startedAt);
    } else if (startedAt === undefined) {
      // Another process was faster.
      state.queue.addFirst(next);
    } else {
      next.isWaiting = false;
      next.start(createTurn(state, next.cost, startedAt));
    }
  }
}

/** Resolves with the start of the window that they were taken from; undefined if too few are left. */
async function takeMegapixels(state: PacerState, cost: number): Promise<number | undefined> {
  let isTaken = false;
  const { startedAt } = await changeWindow(state, (window) => {
    const time = state.now();
    isTaken = earliestStart(window, cost, time) <= time;
    return isTaken ? windowAfterStart(window, cost, time) : window;
  });
  return isTaken ? startedAt : undefined;
}

function giveBack(state: PacerState, cost: number, windowAt: number): Promise<RateWindow> {
  return changeWindow(state, (window) => windowAfterCancel(window, cost, windowAt));
}

function createTurn(state: PacerState, cost: number, windowAt: number): PacerTurn {
  const { running, changed, now } = state;
  const startedAt = now();
  const call = { startedAt };
  running.add(call);
  return {
    end() {
      if (!running.delete(call)) return;
      state.callMs += (now() - startedAt - state.callMs) * latestWeight;
      changed();
    },
    cancel() {
      if (!running.delete(call)) return;
      void giveBack(state, cost, windowAt).then(changed);
    },
  };
}

/** Reports to waiting calls when they are expected to start, and refuses those that would start too late. */
function reportForecast(state: PacerState): void {
  for (const { one, ahead, startsAt, isLate } of forecastQueue(state)) {
    if (isLate) {
      const message = "the megapixels of this minute are used up beyond the deadline";
      leave(state, one, new LimitError(message, { code: "busy", retryAt: new Date(startsAt) }));
      continue;
    }
    const last = one.lastForecast;
    const isSame = last?.ahead === ahead && Math.abs(last.startsAt - startsAt) < minChangeMs;
    if (!isSame) report(state, one, { ahead, startsAt });
  }
}

function report(
  state: PacerState,
  one: WaitingCall,
  { ahead, startsAt }: NonNullable<WaitingCall["lastForecast"]>,
): void {
  one.lastForecast = { ahead, startsAt };
  try {
    one.onQueued?.({ ahead, waitMs: Math.max(0, startsAt - state.now()) });
  } catch (error) {
    leave(state, one, error);
  }
}

function forecastQueue(state: PacerState): readonly ExpectedStart<WaitingCall>[] {
  const { now, atOnce, queue, running, window, callMs } = state;
  const lanes = queue.lanes();
  if (lanes.length === 0) return [];
  const time = now();
  const ends = [...running].map(({ startedAt }) => Math.max(time, startedAt + callMs));
  const free = Array.from({ length: Math.max(atOnce - ends.length, 0) }, () => time);
  return forecast({ lanes, window, slots: [...ends, ...free], callMs, now: time });
}

/** When the next call may start; undefined when none waits, or while all slots are taken until a call ends. */
function nextStart({ now, atOnce, queue, running, window }: PacerState): number | undefined {
  const heads = running.size < atOnce ? queue.lanes().map(([head]) => head?.cost ?? 0) : [];
  if (heads.length === 0) return undefined;
  return Math.min(...heads.map((cost) => earliestStart(window, cost, now())));
}
