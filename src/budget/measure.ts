import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import { divideQuota, leftOfPart, type PartUsage } from "./guild-parts.ts";
import type {
  BilledTo,
  Budget,
  QuotaAmounts,
  QuotaBound,
  QuotaBucket,
  QuotaState,
  SpendingKind,
} from "./types.ts";

/** What a project may spend a day (facts, limits.quota). */
export const defaultLimits = {
  units: 10_000,
  searches: 100,
  uploads: 100,
} as const satisfies Record<QuotaBucket, number>;

/** Share of the units that only moderation may spend. */
export const defaultReserve = 0.2;

/** What has been counted of a bucket today. */
export interface QuotaUsage {
  /** By everybody, of the project. */
  readonly used: number;
  /** The part of `used` that guilds spent beyond their own parts. */
  readonly lent: number;
  /** The service said that the bucket is empty. */
  readonly isEmpty: boolean;
  /** By the guild, of the project. */
  readonly guild: PartUsage;
  /** By the person, of all projects. */
  readonly person: number;
}

/** What usage is measured against. */
export interface MeasureBasis {
  readonly billedTo: BilledTo;
  readonly day: QuotaDay;
  /** How many guilds share the project; 1 where it is not divided into parts. */
  readonly servers: number;
  /** Set when the service called the bucket empty soon after midnight, in milliseconds since the epoch. */
  readonly pausedUntil?: number | undefined;
  /** What applies unless the limits say otherwise. */
  readonly usual: { readonly quota: QuotaAmounts; readonly reserve: number };
}

/** What is left of a project, and what else limits whoever is billed. Credits are in thousandths, see `toAmount`. */
export interface QuotaMeasure {
  readonly project: QuotaState;
  readonly bounds: readonly QuotaBound[];
}

export function measureQuota(
  bucket: SpendingKind,
  usage: QuotaUsage,
  basis: MeasureBasis,
): QuotaMeasure {
  const { billedTo, day, servers } = basis;
  const { guild: ceilings, budgets } = billedTo.limits ?? {};
  const ceiling = bucket === "credits" ? undefined : ceilings?.[bucket];
  const budget = budgets?.[bucket];
  const bounds: QuotaBound[] = [];
  const addBound = (bound: Pick<QuotaBound, "of" | "rank">, limit: number, used: number) => {
    const left = Math.max(0, limit - used);
    bounds.push({ ...bound, limit, used, left, resetsAt: new Date(day.endsAt) });
  };
  if (servers > 1) bounds.push(partBound(bucket, usage, basis));
  if (ceiling !== undefined) addBound({ of: "guild" }, ceiling, usage.guild.used);
  if (budget !== undefined && !isExempt(billedTo, budget)) {
    const { of, rank } = budget;
    addBound(
      { of, ...(rank !== undefined && { rank }) },
      toAmount(bucket, budget.amount),
      usage.person,
    );
  }
  return { project: projectState(bucket, usage, basis), bounds };
}

/** Waiting comments concern everybody: the budget of a rank does not hold up their moderation. */
function isExempt({ purpose }: BilledTo, { of }: Budget): boolean {
  return purpose === "moderation" && of === "rank";
}

function partBound(bucket: SpendingKind, usage: QuotaUsage, basis: MeasureBasis): QuotaBound {
  const { day, servers } = basis;
  const part = guildPart(bucket, basis);
  const left = leftOfPart(part, usage.guild, usage.lent);
  const limit = part.own + part.mostBorrowed;
  const { used } = usage.guild;
  return { of: "part", limit, used, ...left, servers, resetsAt: new Date(day.endsAt) };
}

/** What the guild may spend of a project that several guilds share. */
export function guildPart(bucket: SpendingKind, basis: MeasureBasis) {
  const { servers } = basis;
  return divideQuota({ bucket, servers, limit: limitOf(bucket, basis), reserve: reserveOf(basis) });
}

function projectState(bucket: SpendingKind, usage: QuotaUsage, basis: MeasureBasis): QuotaState {
  const { day, servers, pausedUntil } = basis;
  const limit = limitOf(bucket, basis);
  const blocked = usage.isEmpty || pausedUntil !== undefined;
  const left = blocked ? 0 : Math.max(0, limit - usage.used);
  // Where guilds have parts, each part has its own reserve.
  const reserved = servers > 1 || bucket !== "units" ? 0 : Math.floor(limit * reserveOf(basis));
  const resetsAt = new Date(pausedUntil ?? day.endsAt);
  return { used: usage.used, limit, left, reserved: Math.min(left, reserved), resetsAt, blocked };
}

/** Credits belong to the account of the image service, so only the service limits them. */
function limitOf(bucket: SpendingKind, { billedTo, usual }: MeasureBasis): number {
  if (bucket === "credits") return Number.POSITIVE_INFINITY;
  return billedTo.limits?.quota?.[bucket] ?? usual.quota[bucket] ?? defaultLimits[bucket];
}

function reserveOf({ billedTo, usual }: MeasureBasis): number {
  return billedTo.limits?.reserve ?? usual.reserve;
}

/** The project's state, with the tightest limit of whoever is billed. */
export function quotaStateOf({ project, bounds }: QuotaMeasure): QuotaState {
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
