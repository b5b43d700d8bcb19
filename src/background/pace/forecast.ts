import { opensAt, taken, type Window } from "./window.ts";

interface Waiting {
  readonly cost: number;
  /** Latest moment to start. */
  readonly deadlineAt: number;
}

/** When a waiting call is expected to start. */
export interface ExpectedStart<T> {
  readonly one: T;
  /** Calls that start before it. */
  readonly ahead: number;
  readonly startsAt: number;
  /** Later than its deadline; those behind it are expected as if it had gone. */
  readonly isLate: boolean;
}

interface ForecastState<T> {
  readonly lanes: readonly (readonly T[])[];
  readonly window: Window;
  /** When each place for a running call is free, or is expected to be. */
  readonly places: readonly number[];
  /** How long a call takes. */
  readonly callMs: number;
  readonly now: number;
}

/** How far one lane has been played. */
interface Place<T> {
  readonly lane: readonly T[];
  at: number;
}

/** Plays the queue to its end, by the rules it is really served by. */
export function forecast<T extends Waiting>(state: ForecastState<T>): readonly ExpectedStart<T>[] {
  const rotation: Place<T>[] = state.lanes.map((lane) => ({ lane, at: 0 }));
  const places = [...state.places];
  const expected: ExpectedStart<T>[] = [];
  let { window, now: time } = state;
  let ahead = 0;
  while (rotation.length > 0) {
    const place = places.indexOf(Math.min(...places));
    time = Math.max(time, places[place] ?? time);
    const startOf = ({ lane, at }: Place<T>) => opensAt(window, lane[at]?.cost ?? 0, time);
    const from = time;
    const first = rotation.findIndex((each) => startOf(each) <= from);
    const [next] = rotation.splice(first < 0 ? earliest(rotation.map(startOf)) : first, 1);
    const one = next?.lane[next.at];
    if (next === undefined || one === undefined) continue;
    const startsAt = startOf(next);
    const isLate = startsAt > one.deadlineAt;
    expected.push({ one, ahead, startsAt, isLate });
    next.at += 1;
    if (isLate) {
      rotation.unshift(next);
      continue;
    }
    rotation.push(next);
    time = startsAt;
    window = taken(window, one.cost, time);
    places[place] = time + state.callMs;
    ahead += 1;
  }
  return expected;
}

function earliest(times: readonly number[]): number {
  return times.indexOf(Math.min(...times));
}
