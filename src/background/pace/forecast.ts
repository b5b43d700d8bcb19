import { earliestStart, type RateWindow, windowAfterStart } from "./rate-window.ts";

interface ForecastCall {
  readonly cost: number;
  /** Latest time to start, in milliseconds since the epoch. */
  readonly deadlineAt: number;
}

/** When a waiting call is expected to start. */
export interface ExpectedStart<T> {
  readonly one: T;
  /** Calls that start before it. */
  readonly ahead: number;
  readonly startsAt: number;
  /** The start is later than its deadline; the calls behind it are forecast as if it were gone. */
  readonly isLate: boolean;
}

interface ForecastState<T> {
  readonly lanes: readonly (readonly T[])[];
  readonly window: RateWindow;
  /** When each slot for a running call is free, or is expected to be. */
  readonly slots: readonly number[];
  /** How long one call takes. */
  readonly callMs: number;
  readonly now: number;
}

/** How far the forecast has come in one lane. */
interface LanePosition<T> {
  readonly lane: readonly T[];
  at: number;
}

/** Simulates serving the whole queue, by the same rules as the pacer. */
export function forecast<T extends ForecastCall>(
  state: ForecastState<T>,
): readonly ExpectedStart<T>[] {
  const rotation: LanePosition<T>[] = state.lanes.map((lane) => ({ lane, at: 0 }));
  const slots = [...state.slots];
  const expected: ExpectedStart<T>[] = [];
  let { window, now: time } = state;
  let ahead = 0;
  while (rotation.length > 0) {
    const slot = earliest(slots);
    time = Math.max(time, slots[slot] ?? time);
    const startTime = ({ lane, at }: LanePosition<T>) =>
      earliestStart(window, lane[at]?.cost ?? 0, time);
    const from = time;
    const first = rotation.findIndex((each) => startTime(each) <= from);
    const [next] = rotation.splice(first < 0 ? earliest(rotation.map(startTime)) : first, 1);
    const one = next?.lane[next.at];
    if (next === undefined || one === undefined) continue;
    const startsAt = startTime(next);
    const isLate = startsAt > one.deadlineAt;
    expected.push({ one, ahead, startsAt, isLate });
    next.at += 1;
    if (isLate) {
      rotation.unshift(next);
      continue;
    }
    rotation.push(next);
    time = startsAt;
    window = windowAfterStart(window, one.cost, time);
    slots[slot] = time + state.callMs;
    ahead += 1;
  }
  return expected;
}

/** Position of the earliest time. */
function earliest(times: readonly number[]): number {
  return times.indexOf(Math.min(...times));
}
