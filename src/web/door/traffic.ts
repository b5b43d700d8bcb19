/** Most requests a minute. */
export interface TrafficLimits {
  /** Of one visitor. */
  readonly visitor: number;
  /** Of all together; beyond it each visitor still has a few. */
  readonly all: number;
}

/** A link takes about ten requests; a household or an office shares an address. */
export const usualTraffic: TrafficLimits = { visitor: 120, all: 6_000 };

/** Of each visitor's, what nobody else's requests take away: enough for a link. */
const ownShare = 1 / 12;

const minuteMs = 60_000;
const maxVisitors = 10_000;

/** Says whether one more request is within the minute's limits, and counts it. */
export function createTraffic(limits: TrafficLimits, now: () => number) {
  const visitors = new Map<string, number>();
  let minute = 0;
  let all = 0;

  return (visitor: string | undefined): boolean => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      all = 0;
      visitors.clear();
    }
    if (visitor !== undefined) {
      // What one visitor is refused takes nothing from what is left for the others.
      const count = (visitors.get(visitor) ?? 0) + 1;
      if (count > limits.visitor) return false;
      if (visitors.has(visitor) || visitors.size < maxVisitors) visitors.set(visitor, count);
    }
    all += 1;
    const count = visitors.get(visitor ?? "") ?? Number.POSITIVE_INFINITY;
    return all <= limits.all || count <= limits.visitor * ownShare;
  };
}
