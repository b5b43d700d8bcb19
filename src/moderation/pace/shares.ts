/** Parts of a day's units, the rest is for whoever asks. Polls leave decisions something, and decisions the polls. */
const pollPart = 0.5;
const decisionPart = 0.3;
/** Polls leave so much of a day's units to decisions however late it is; with less than that left, half of it. */
const keptPart = 0.1;

const dayMs = 24 * 3_600_000;
/** Nobody is looked at more often. */
export const leastMs = 10_000;

/** Somebody who polls. */
export interface Taker {
  readonly guildId: string;
  /** How often it would like to. */
  readonly paceMs: number;
  /** Units of one poll. */
  readonly cost: number;
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

/** Units of a whole day at its busiest. */
export function demandOf({ paceMs, cost }: Pick<Taker, "paceMs" | "cost">): number {
  return (cost * dayMs) / busyMs(paceMs);
}

/**
 * The most that one gets where not everybody can have all: who wants less gets what it wants, and the others share the
 * rest evenly. Infinite where there is enough.
 */
export function fairLevel(demands: readonly number[], pool: number): number {
  const sorted = [...demands].sort((one, other) => one - other);
  let rest = pool;
  for (const [index, demand] of sorted.entries()) {
    const level = rest / (sorted.length - index);
    if (demand > level) return level;
    rest -= demand;
  }
  return Number.POSITIVE_INFINITY;
}

/** What each may poll for on a whole day. */
export function dayLevel(takers: readonly Taker[], limit: number): number {
  return fairLevel(takers.map(demandOf), limit * pollPart);
}

/** What all of them still poll for until the day is over, when each keeps to its part. */
function plannedRest(takers: readonly Taker[], level: number, forMs: number): number {
  const aDay = takers.reduce((sum, taker) => sum + Math.min(demandOf(taker), level), 0);
  return aDay * partOfDay(forMs);
}

/** What polls may take of what is left. */
export function pollPool({ limit, left, forMs }: Pot): number {
  return Math.max(left - limit * keptPart * partOfDay(forMs), left / 2, 0);
}

/** What one may still poll for until the day is over. `spent`: what it has polled for today. */
export function allotment(
  taker: Taker,
  {
    takers,
    pot,
    spent,
  }: { readonly takers: readonly Taker[]; readonly pot: Pot; readonly spent: number },
): number {
  const level = dayLevel(takers, pot.limit);
  const own = Math.max(0, Math.min(demandOf(taker), level) - spent);
  const planned = plannedRest(takers, level, pot.forMs);
  const scale = planned === 0 ? 1 : Math.min(1, pollPool(pot) / planned);
  return own * scale;
}

/**
 * What has to stay for the others when a guild takes more for decisions than its part: what they still poll for, and
 * what they may decide with.
 */
export function keptForOthers(guildId: string, takers: readonly Taker[], pot: Pot): number {
  const others = takers.filter((taker) => taker.guildId !== guildId);
  const guilds = new Set(takers.map((taker) => taker.guildId)).size;
  const otherGuilds = new Set(others.map((taker) => taker.guildId)).size;
  const decisions = (pot.limit * decisionPart * otherGuilds) / Math.max(1, guilds);
  const polls = plannedRest(others, dayLevel(takers, pot.limit), pot.forMs);
  return polls + decisions * partOfDay(pot.forMs);
}

/** What a guild may always take for decisions on a day. */
export function decisionsOf(takers: readonly Taker[], limit: number): number {
  return (limit * decisionPart) / Math.max(1, new Set(takers.map(({ guildId }) => guildId)).size);
}

/** Days have up to 25 hours there, and nothing hangs on one of them. */
function partOfDay(ms: number): number {
  return Math.min(1, Math.max(0, ms / dayMs));
}
