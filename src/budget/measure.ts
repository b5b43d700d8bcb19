import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import { divideQuota, leftOfPart, type PartUsage, type QuotaDivision } from "./quota-parts.ts";
import type { QuotaSharing } from "./sharing-channels.ts";
import type {
  BilledTo,
  QuotaAmounts,
  QuotaBound,
  QuotaBucket,
  QuotaState,
  SpendingKind,
} from "./types.ts";

/** What a project may spend a day: docs/services/youtube.md#quota */
export const defaultLimits = {
  units: 10_000,
  searches: 100,
  uploads: 100,
} as const satisfies Record<QuotaBucket, number>;

/** Share of the units that only moderation may spend. */
export const defaultReserve = 0.2;

export interface QuotaUsage {
  /** By everybody, of the project. */
  readonly used: number;
  /** The part of `used` that was spent beyond own parts. */
  readonly lent: number;
  /** YouTube said that the bucket is empty. */
  readonly isEmpty: boolean;
  /** By all channels of the person who linked the channel, of the project. */
  readonly linker: PartUsage;
  /** By the channel, of the project. */
  readonly channel: number;
  /** By the server, of the project. */
  readonly server: number;
  /** By the person, of all projects. */
  readonly person: number;
}

export interface MeasureBasis {
  readonly billedTo: BilledTo;
  readonly day: QuotaDay;
  /** How the project is divided; undefined where it is not. */
  readonly sharing?: QuotaSharing | undefined;
  /** Set when YouTube called the bucket empty soon after midnight, in milliseconds since the epoch. */
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
  const { billedTo, day, sharing } = basis;
  const { server: ceilings, budgets } = billedTo.limits ?? {};
  const ceiling = bucket === "credits" ? undefined : ceilings?.[bucket];
  const budget = budgets?.[bucket];
  const bounds: QuotaBound[] = [];
  const addBound = (bound: Pick<QuotaBound, "of" | "rank">, limit: number, used: number) => {
    const left = Math.max(0, limit - used);
    bounds.push({ ...bound, limit, used, left, resetsAt: new Date(day.endsAt) });
  };
  if (sharing !== undefined) bounds.push(partBound(bucket, usage, basis, sharing));
  if (ceiling !== undefined) addBound({ of: "guild" }, ceiling, usage.server);
  // Waiting comments concern everybody: the budget of a rank does not hold up their moderation.
  const isExempt = billedTo.purpose === "moderation" && budget?.of === "rank";
  if (budget !== undefined && !isExempt) {
    const { of, rank } = budget;
    addBound(
      { of, ...(rank !== undefined && { rank }) },
      toAmount(bucket, budget.amount),
      usage.person,
    );
  }
  return { project: projectState(bucket, usage, basis), bounds };
}

function partBound(
  bucket: SpendingKind,
  usage: QuotaUsage,
  basis: MeasureBasis,
  { ofPerson, fullFrom, ...division }: QuotaSharing,
): QuotaBound {
  const part = measurePart(bucket, basis, division);
  const left = leftOfPart(part, usage);
  const limit = Math.min(part.own + part.mostBorrowed, part.mostOfChannel);
  const { channels, isNew } = division;
  const facts = { own: part.own, channels, ofPerson, ...(isNew && { fullFrom }) };
  const { used } = usage.linker;
  const resetsAt = new Date(basis.day.endsAt);
  return { of: "part", limit, used, ...left, sharing: facts, resetsAt };
}

/** The part that follows from such a division. */
export function measurePart(bucket: SpendingKind, basis: MeasureBasis, division: QuotaDivision) {
  const [limit, reserve] = [quotaLimit(bucket, basis), reservedShare(basis)];
  return divideQuota({ bucket, division, limit, reserve });
}

function projectState(bucket: SpendingKind, usage: QuotaUsage, basis: MeasureBasis): QuotaState {
  const { day, sharing, pausedUntil } = basis;
  const limit = quotaLimit(bucket, basis);
  const blocked = usage.isEmpty || pausedUntil !== undefined;
  const left = blocked ? 0 : Math.max(0, limit - usage.used);
  // Where a project is divided, each part has its own reserve.
  const reserved =
    sharing !== undefined || bucket !== "units" ? 0 : Math.floor(limit * reservedShare(basis));
  const resetsAt = new Date(pausedUntil ?? day.endsAt);
  return { used: usage.used, limit, left, reserved: Math.min(left, reserved), resetsAt, blocked };
}

/** Credits belong to an account at remove.bg, which alone limits them. */
function quotaLimit(bucket: SpendingKind, { billedTo, usual }: MeasureBasis): number {
  if (bucket === "credits") return Number.POSITIVE_INFINITY;
  return billedTo.limits?.quota?.[bucket] ?? usual.quota[bucket] ?? defaultLimits[bucket];
}

function reservedShare({ billedTo, usual }: MeasureBasis): number {
  return billedTo.limits?.reserve ?? usual.reserve;
}

/** The project's state, with the tightest limit of whoever is billed. */
export function toQuotaState({ project, bounds }: QuotaMeasure): QuotaState {
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
