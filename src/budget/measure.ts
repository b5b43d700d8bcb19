import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import { leftOfPart, type PartUse, partOf } from "./parts.ts";
import type {
  BilledTo,
  Bucket,
  Budget,
  QuotaAmounts,
  QuotaBound,
  QuotaState,
  Spendable,
} from "./types.ts";

/** What a project may spend a day (facts, limits.quota). */
export const defaultLimits = {
  units: 10_000,
  searches: 100,
  uploads: 100,
} as const satisfies Record<Bucket, number>;

/** Share of the units that only moderation may spend. */
export const defaultReserve = 0.2;

/** What is counted of a bucket today, as far as it limits somebody. */
export interface Usage {
  /** Of the project. */
  readonly used: number;
  /** Of that, what guilds spent beyond their own parts. */
  readonly lent: number;
  /** The service said that it is empty. */
  readonly isEmpty: boolean;
  /** By the guild, of the project. */
  readonly guild: PartUse;
  /** By the person, of all projects. */
  readonly person: number;
}

/** What it is measured by. */
export interface Measuring {
  readonly billedTo: BilledTo;
  readonly day: QuotaDay;
  /** How many guilds share the project: 1 where none has a part. */
  readonly servers: number;
  /** The service said soon after midnight that it is empty. */
  readonly pausedUntil?: number | undefined;
  /** What holds where the limits don't say otherwise. */
  readonly usual: { readonly quota: QuotaAmounts; readonly reserve: number };
}

/** What is left of a project, and what else limits the one who is billed. Amounts, not credits. */
export interface Measure {
  readonly project: QuotaState;
  readonly bounds: readonly QuotaBound[];
}

export function measure(bucket: Spendable, usage: Usage, on: Measuring): Measure {
  const { billedTo, day, servers } = on;
  const { guild: ceilings, budgets } = billedTo.limits ?? {};
  const ceiling = bucket === "credits" ? undefined : ceilings?.[bucket];
  const budget = budgets?.[bucket];
  const bounds: QuotaBound[] = [];
  const add = (bound: Pick<QuotaBound, "of" | "rank">, limit: number, used: number) => {
    const left = Math.max(0, limit - used);
    bounds.push({ ...bound, limit, used, left, resetsAt: new Date(day.endsAt) });
  };
  if (servers > 1) bounds.push(partBound(bucket, usage, on));
  if (ceiling !== undefined) add({ of: "guild" }, ceiling, usage.guild.used);
  if (budget !== undefined && !isExempt(billedTo, budget)) {
    const { of, rank } = budget;
    add({ of, ...(rank !== undefined && { rank }) }, toAmount(bucket, budget.amount), usage.person);
  }
  return { project: projectState(bucket, usage, on), bounds };
}

/** Comments that wait are everybody's business: what a rank may spend does not hold their moderation up. */
function isExempt({ purpose }: BilledTo, { of }: Budget): boolean {
  return purpose === "moderation" && of === "rank";
}

function partBound(bucket: Spendable, usage: Usage, on: Measuring): QuotaBound {
  const { day, servers } = on;
  const part = guildPart(bucket, on);
  const left = leftOfPart(part, usage.guild, usage.lent);
  const limit = part.own + part.mostBorrowed;
  const { used } = usage.guild;
  return { of: "part", limit, used, ...left, servers, resetsAt: new Date(day.endsAt) };
}

/** What the guild may spend of a project that so many share. */
export function guildPart(bucket: Spendable, on: Measuring) {
  const { servers } = on;
  return partOf({ bucket, servers, limit: limitOf(bucket, on), reserve: reserveOf(on) });
}

function projectState(bucket: Spendable, usage: Usage, on: Measuring): QuotaState {
  const { day, servers, pausedUntil } = on;
  const limit = limitOf(bucket, on);
  const blocked = usage.isEmpty || pausedUntil !== undefined;
  const left = blocked ? 0 : Math.max(0, limit - usage.used);
  // Where guilds have parts, each part has its own reserve.
  const kept = servers > 1 || bucket !== "units" ? 0 : Math.floor(limit * reserveOf(on));
  const resetsAt = new Date(pausedUntil ?? day.endsAt);
  return { used: usage.used, limit, left, reserved: Math.min(left, kept), resetsAt, blocked };
}

/** Credits are the account's, which only the service limits. */
function limitOf(bucket: Spendable, { billedTo, usual }: Measuring): number {
  if (bucket === "credits") return Number.POSITIVE_INFINITY;
  return billedTo.limits?.quota?.[bucket] ?? usual.quota[bucket] ?? defaultLimits[bucket];
}

function reserveOf({ billedTo, usual }: Measuring): number {
  return billedTo.limits?.reserve ?? usual.reserve;
}

/** The project's state, with the tightest of what limits the one who is billed. */
export function stateOf({ project, bounds }: Measure): QuotaState {
  const [tightest] = bounds.toSorted((a, b) => a.left - b.left);
  const [share] = bounds
    .filter(({ of }) => of === "part" || of === "guild")
    .toSorted((a, b) => a.left - b.left);
  const reserved = bounds.find(({ of }) => of === "part")?.reserved;
  return {
    ...project,
    ...(reserved !== undefined && { reserved: Math.min(reserved, project.left) }),
    ...(tightest !== undefined && tightest.left < project.left && { bound: tightest }),
    ...(share !== undefined && { share }),
  };
}
