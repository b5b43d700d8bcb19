import type { SpendingKind } from "./types.ts";

/** This share of a project's daily quota is divided among its servers; the rest is lent to whoever comes first. */
const dividedShare = 0.5;
/** One server borrows at most this share of the project's daily quota. */
const borrowedShare = 0.25;

/** What one server may spend of a project that several share. */
export interface GuildPart {
  /** Nobody else can spend it. */
  readonly own: number;
  /** The part of `own` that only moderation may spend. */
  readonly ownReserve: number;
  /** What is lent to all servers together. */
  readonly common: number;
  /** The part of `common` that only moderation may borrow. */
  readonly commonReserve: number;
  /** Most that one server may borrow. */
  readonly mostBorrowed: number;
}

interface Division {
  readonly bucket: SpendingKind;
  /** What the project may spend a day. */
  readonly limit: number;
  /** How many servers share it. */
  readonly servers: number;
  /** Share of the units that only moderation may spend. */
  readonly reserve: number;
}

/** Divides a project's quota. A server that does not share the project has all of it. */
export function divideQuota({ bucket, limit, servers, reserve }: Division): GuildPart {
  const own = servers <= 1 ? limit : Math.floor((limit * dividedShare) / servers);
  const common = servers <= 1 ? 0 : limit - own * servers;
  const reserveShare = bucket === "units" ? reserve : 0;
  return {
    own,
    ownReserve: Math.floor(own * reserveShare),
    common,
    commonReserve: Math.floor(common * reserveShare),
    mostBorrowed: Math.min(common, Math.floor(limit * borrowedShare)),
  };
}

/** What a server has spent today, and how much of it for moderation. */
export interface PartUsage {
  readonly used: number;
  readonly moderated: number;
}

/** What a server has spent beyond its own part. Only moderation may use the reserve, so everything else borrows sooner. */
export function borrowedOf(
  { own, ownReserve }: Pick<GuildPart, "own" | "ownReserve">,
  { used, moderated }: PartUsage,
): number {
  const beyond = Math.max(0, used - (own - ownReserve));
  return Math.max(0, beyond - Math.min(ownReserve, moderated));
}

/**
 * What is left for a server. `lent` is what all servers together have borrowed today; the answer's `reserved` is the part
 * of `left` that only moderation may spend.
 */
export function leftOfPart(part: GuildPart, use: PartUsage, lent: number) {
  const borrowed = borrowedOf(part, use);
  const ownLeft = Math.max(0, part.own - (use.used - borrowed));
  const forAnything = Math.max(0, ownLeft - part.ownReserve);
  const mayBorrow = (reserved: number) =>
    Math.max(0, Math.min(part.mostBorrowed - borrowed, part.common - reserved - lent));
  const left = ownLeft + mayBorrow(0);
  return { left, reserved: left - forAnything - mayBorrow(part.commonReserve) };
}
