import { dayMs } from "../../clock.ts";

/** Parts of a day's units that are kept for polls and for decisions; the rest goes to whoever asks first. */
const pollPart = 0.5;
const decisionPart = 0.3;
/** The part of a day's units that polls always leave to decisions; if less is left, they leave half of it. */
const reservedPart = 0.1;

/** No watch polls more often. */
export const minPollMs = 10_000;

/** How many units several watches would like to spend on polls. */
export interface PollDemand {
  /** Watches, grouped by the units that one of them wants on a busy day. */
  readonly watches: readonly { readonly dailyUnits: number; readonly count: number }[];
  /** How many channels they watch. */
  readonly channels: number;
}

/** Units that several watches share. */
export interface SharedUnits {
  readonly limit: number;
  readonly left: number;
  /** Milliseconds until the limit is reset. */
  readonly forMs: number;
}

/** How often a watch polls while comments come in. */
export function busyPollMs(paceMs: number): number {
  return Math.max(minPollMs, paceMs / 3);
}

/** Units that a watch wants for polls on a whole busy day. */
export function dailyUnitsFor(paceMs: number, costUnits: number): number {
  return Math.round((costUnits * dayMs) / busyPollMs(paceMs));
}

/**
 * The most units that one watch gets when there are not enough for all: a watch that wants less gets what it wants, and the
 * others share the rest evenly. Infinite if there is enough.
 */
export function fairLevel({ watches }: Pick<PollDemand, "watches">, pool: number): number {
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

/** The most units that one watch may spend on polls on a whole day. */
export function dailyLevel(demand: PollDemand, limit: number): number {
  return fairLevel(demand, limit * pollPart);
}

/** Units that all watches will still spend today if each keeps to its part. */
function plannedUnits({ watches }: PollDemand, level: number, forMs: number): number {
  const aDay = watches.reduce(
    (sum, { dailyUnits, count }) => sum + Math.min(dailyUnits, level) * count,
    0,
  );
  return aDay * partOfDay(forMs);
}

/** The part of the units left that polls may take. */
export function unitsForPolls({ limit, left, forMs }: SharedUnits): number {
  return Math.max(left - limit * reservedPart * partOfDay(forMs), left / 2, 0);
}

/** Units that one watch may still spend on polls today. `spentUnits`: what its polls have cost so far. */
export function allotUnits(
  dailyUnits: number,
  {
    demand,
    pot,
    spentUnits,
  }: { readonly demand: PollDemand; readonly pot: SharedUnits; readonly spentUnits: number },
): number {
  const level = dailyLevel(demand, pot.limit);
  const own = Math.max(0, Math.min(dailyUnits, level) - spentUnits);
  const planned = plannedUnits(demand, level, pot.forMs);
  const scale = planned === 0 ? 1 : Math.min(1, unitsForPolls(pot) / planned);
  return own * scale;
}

/**
 * Units that must stay for other channels when one server spends more than its part on decisions: for their polls and for their
 * decisions.
 */
export function unitsKeptForOthers(own: PollDemand, all: PollDemand, pot: SharedUnits): number {
  const level = dailyLevel(all, pot.limit);
  const polls = plannedUnits(all, level, pot.forMs) - plannedUnits(own, level, pot.forMs);
  const others = Math.max(0, all.channels - own.channels) / Math.max(1, all.channels);
  return Math.max(0, polls) + pot.limit * decisionPart * others * partOfDay(pot.forMs);
}

/** Units that may always be spent on decisions about one of these channels per day. */
export function decisionUnits({ channels }: Pick<PollDemand, "channels">, limit: number): number {
  return (limit * decisionPart) / Math.max(1, channels);
}

/** A day in Los Angeles may have 25 hours; the small error does not matter. */
function partOfDay(ms: number): number {
  return Math.min(1, Math.max(0, ms / dayMs));
}
