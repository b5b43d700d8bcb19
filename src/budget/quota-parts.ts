import type { SpendingKind } from "./types.ts";

/** This share of a project's daily quota is divided into parts; the rest is lent to whoever comes first. */
const dividedShare = 0.5;
/** One person's channels borrow at most this share of the project's daily quota. */
const borrowedShare = 0.25;
/** However many channels a person has linked, together they have no more parts than this. */
const mostParts = 2;
/** A new channel has a smaller part, which all new channels of a person share. */
const newPart = 0.25;

/** How many channels one person has linked. */
export interface LinkedCount {
  /** Those that have a full part. */
  readonly settled: number;
  readonly fresh: number;
}

/** How a project is divided, from one person's point of view. */
export interface QuotaDivision {
  /** How many channels share the project. */
  readonly channels: number;
  /** The parts of each person, and how many people have so many. */
  readonly people: ReadonlyMap<number, number>;
  /** The parts of this person. */
  readonly parts: number;
  /** Whether the channel is one of those that have a smaller part. */
  readonly isNew: boolean;
}

/** How many parts of a project one person's channels have together. */
export function countParts({ settled, fresh }: LinkedCount): number {
  return Math.min(settled, mostParts) + (fresh > 0 ? newPart : 0);
}

/** What the channels of one person may spend of a project that several people share. */
export interface QuotaPart {
  /** Nobody else can spend it. */
  readonly own: number;
  /** The part of `own` that only moderation may spend. */
  readonly ownReserve: number;
  /** What is lent to all together. */
  readonly common: number;
  /** The part of `common` that only moderation may borrow. */
  readonly commonReserve: number;
  /** Most that one person's channels may borrow together. */
  readonly mostBorrowed: number;
  /** Most that one of the channels may spend, whoever else has linked it. */
  readonly mostOfChannel: number;
}

interface DividedQuota {
  readonly bucket: SpendingKind;
  /** What the project may spend a day. */
  readonly limit: number;
  readonly division: QuotaDivision;
  /** Share of the units that only moderation may spend. */
  readonly reserve: number;
}

export function divideQuota({ bucket, limit, division, reserve }: DividedQuota): QuotaPart {
  const { people, parts, isNew } = division;
  let all = 0;
  for (const [each, count] of people) all += each * count;
  // Sums of such fractions are not exact.
  const unitsFor = (each: number) => Math.floor((limit * dividedShare * each) / all + 1e-6);
  let common = limit;
  for (const [each, count] of people) common -= unitsFor(each) * count;
  const own = unitsFor(parts);
  const reserveShare = bucket === "units" ? reserve : 0;
  const mostBorrowed = Math.min(common, Math.floor(limit * borrowedShare));
  return {
    own,
    ownReserve: Math.floor(own * reserveShare),
    common,
    commonReserve: Math.floor(common * reserveShare),
    mostBorrowed,
    mostOfChannel: unitsFor(isNew ? newPart : 1) + mostBorrowed,
  };
}

/** What was spent today, and how much of it for moderation. */
export interface PartUsage {
  readonly used: number;
  readonly moderated: number;
}

/** What was spent beyond the own part. Only moderation may use the reserve, so everything else borrows sooner. */
export function countBorrowed(
  { own, ownReserve }: Pick<QuotaPart, "own" | "ownReserve">,
  { used, moderated }: PartUsage,
): number {
  const beyond = Math.max(0, used - (own - ownReserve));
  return Math.max(0, beyond - Math.min(ownReserve, moderated));
}

interface PartSpending {
  /** By all channels of the person. */
  readonly linker: PartUsage;
  /** By the channel. */
  readonly channel: number;
  /** What all people together have borrowed. */
  readonly lent: number;
}

/** What is left of a part. Only moderation may spend the `reserved` units of it. */
export function leftOfPart(part: QuotaPart, { linker, channel, lent }: PartSpending) {
  const borrowed = countBorrowed(part, linker);
  const ownLeft = Math.max(0, part.own - (linker.used - borrowed));
  const forAnything = Math.max(0, ownLeft - part.ownReserve);
  const mayBorrow = (reserved: number) =>
    Math.max(0, Math.min(part.mostBorrowed - borrowed, part.common - reserved - lent));
  const ofChannel = Math.max(0, part.mostOfChannel - channel);
  const left = Math.min(ofChannel, ownLeft + mayBorrow(0));
  const unreserved = Math.min(left, forAnything + mayBorrow(part.commonReserve));
  return { left, reserved: left - unreserved };
}
