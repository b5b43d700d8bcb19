import { busyMs } from "./shares.ts";

const minuteMs = 60_000;
/** After something came in it is looked as often as was asked for so long at least. */
const freshMs = 10 * minuteMs;
const slowestFactor = 6;
const slowestMs = 30 * minuteMs;

export interface Activity {
  readonly paceMs: number;
  /** Polls in a row that brought nothing. */
  readonly idlePolls: number;
  /** Since the last comment came in, or since it is watched. */
  readonly quietMs: number;
}

/** How soon it would be good to look again, were there units without end. */
export function wantedMs({ paceMs, idlePolls, quietMs }: Activity): number {
  if (quietMs < freshMs) {
    const steps = [busyMs(paceMs), Math.max(busyMs(paceMs), (paceMs * 2) / 3)];
    return Math.min(paceMs, steps[idlePolls] ?? paceMs);
  }
  const slowest = Math.max(paceMs, Math.min(paceMs * slowestFactor, slowestMs));
  return Math.min(slowest, paceMs + (quietMs - freshMs) / 10);
}

interface Means {
  /** Units of one poll. */
  readonly cost: number;
  /** What it may still spend until the day is over, and how long that is. */
  readonly allotment: number;
  readonly forMs: number;
}

/** How soon it can look again with these units; when the day is over, if not before. */
export function affordableMs({ cost, allotment, forMs }: Means): number {
  return allotment < cost ? forMs : Math.min(forMs, (cost * forMs) / allotment);
}
