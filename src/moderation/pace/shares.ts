/** Parts of a day's units, the rest is for whoever asks. Polls leave decisions something, and decisions the polls. */
const pollPart = 0.5;
const decisionPart = 0.3;
/** Polls leave so much of a day's units to decisions however late it is; with less than that left, half of it. */
const keptPart = 0.1;

const dayMs = 24 * 3_600_000;
/** Nobody is looked at more often. */
export const leastMs = 10_000;

/** What several watches would like to poll for. */
export interface Demand {
  /** Watches by what one of them wants on a whole day at its busiest. */
  readonly watches: readonly { readonly dailyUnits: number; readonly count: number }[];
  /** How many guilds they belong to. */
  readonly guilds: number;
}

/** What is there for several who share it. */
export interface Pot {
  readonly limit: number;
  readonly left: number;
  /** Milliseconds until it is full again. */
  readonly forMs: number;
}

/** How often it looks while comments come in. */
export function busyMs(paceMs: number): number {
  return Math.max(leastMs, paceMs / 3);
}

/** What a watch polls for on a whole day at its busiest, at so many units a poll. */
export function dailyUnitsOf(paceMs: number, costUnits: number): number {
  return Math.round((costUnits * dayMs) / busyMs(paceMs));
}

/**
 * The most that one gets where not everybody can have all: who wants less gets what it wants, and the others share the
 * rest evenly. Infinite where there is enough.
 */
export function fairLevel({ watches }: Pick<Demand, "watches">, pool: number): number {
  const sorted = [...watches].sort((one, other) => one.dailyUnits - other.dailyUnits);
  let rest = pool;
  let others = sorted.reduce((sum, { count }) => sum + count, 0);
  for (const { dailyUnits, count } of sorted) {
    const level = rest / others;
    if (dailyUnits > level) return level;
    rest -= dailyUnits * count;
    others -= count;
  }
  return Number.POSITIVE_INFINITY;
}

/** What each may poll for on a whole day. */
export function dayLevel(demand: Demand, limit: number): number {
  return fairLevel(demand, limit * pollPart);
}

/** What all of them still poll for until the day is over, when each keeps to its part. */
function plannedRest({ watches }: Demand, level: number, forMs: number): number {
  const aDay = watches.reduce(
    (sum, { dailyUnits, count }) => sum + Math.min(dailyUnits, level) * count,
    0,
  );
  return aDay * partOfDay(forMs);
}

/** What polls may take of what is left. */
export function pollPool({ limit, left, forMs }: Pot): number {
  return Math.max(left - limit * keptPart * partOfDay(forMs), left / 2, 0);
}

/** What one of them may still poll for until the day is over. `spentUnits`: what it has polled for today. */
export function allotment(
  dailyUnits: number,
  {
    demand,
    pot,
    spentUnits,
  }: { readonly demand: Demand; readonly pot: Pot; readonly spentUnits: number },
): number {
  const level = dayLevel(demand, pot.limit);
  const own = Math.max(0, Math.min(dailyUnits, level) - spentUnits);
  const planned = plannedRest(demand, level, pot.forMs);
  const scale = planned === 0 ? 1 : Math.min(1, pollPool(pot) / planned);
  return own * scale;
}

/**
 * What has to stay for the others when a guild takes more for decisions than its part: what they still poll for, and
 * what they may decide with.
 */
export function keptForOthers(own: Demand, all: Demand, pot: Pot): number {
  const level = dayLevel(all, pot.limit);
  const polls = plannedRest(all, level, pot.forMs) - plannedRest(own, level, pot.forMs);
  const others = Math.max(0, all.guilds - own.guilds) / Math.max(1, all.guilds);
  return Math.max(0, polls) + pot.limit * decisionPart * others * partOfDay(pot.forMs);
}

/** What a guild may always take for decisions on a day. */
export function decisionsOf({ guilds }: Pick<Demand, "guilds">, limit: number): number {
  return (limit * decisionPart) / Math.max(1, guilds);
}

/** Days have up to 25 hours there, and nothing hangs on one of them. */
function partOfDay(ms: number): number {
  return Math.min(1, Math.max(0, ms / dayMs));
}
