const shortestMs = 500;
const longestMs = 60_000;

/** A connection that held for so long was a good one: what ends it begins a new count. */
export const stableMs = 60_000;

/**
 * How long to wait before the connection that follows so many that did not hold: twice as long each time, up to a minute, with
 * as much as half of it left to chance, so that many bots don't come back in one moment. The library adds half a second.
 */
export function waitBefore(failures: number, random: () => number): number {
  const whole = Math.min(shortestMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return Math.round(whole * (0.5 + random() / 2));
}
