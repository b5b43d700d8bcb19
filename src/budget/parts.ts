import type { Spendable } from "./types.ts";

/** Of what a project may spend a day, this much is divided among its servers; the rest is lent to whoever comes first. */
const dividedShare = 0.5;
/** One server borrows no more than this of what the project may spend a day. */
const borrowedShare = 0.25;

/** What one server may spend of a project that several share. */
export interface GuildPart {
  /** Nobody else can spend it. */
  readonly own: number;
  /** Of `own`, what only moderation may spend. */
  readonly ownReserve: number;
  /** What is lent to all servers together, and the part of that which only moderation may borrow. */
  readonly common: number;
  readonly commonReserve: number;
  /** Most that one server may borrow. */
  readonly mostBorrowed: number;
}

interface Division {
  readonly bucket: Spendable;
  /** What the project may spend a day. */
  readonly limit: number;
  /** How many servers share it. */
  readonly servers: number;
  /** Share of the units that only moderation may spend. */
  readonly reserve: number;
}

/** A server alone has everything. */
export function partOf({ bucket, limit, servers, reserve }: Division): GuildPart {
  const own = servers <= 1 ? limit : Math.floor((limit * dividedShare) / servers);
  const common = servers <= 1 ? 0 : limit - own * servers;
  const kept = bucket === "units" ? reserve : 0;
  return {
    own,
    ownReserve: Math.floor(own * kept),
    common,
    commonReserve: Math.floor(common * kept),
    mostBorrowed: Math.min(common, Math.floor(limit * borrowedShare)),
  };
}

/** What a server has spent today, and how much of it for moderation. */
export interface PartUse {
  readonly used: number;
  readonly moderated: number;
}

/** What a server has spent beyond its own part. Others than moderation never spend its reserve, so they borrow sooner. */
export function borrowedOf(
  { own, ownReserve }: Pick<GuildPart, "own" | "ownReserve">,
  { used, moderated }: PartUse,
): number {
  const beyond = Math.max(0, used - (own - ownReserve));
  return Math.max(0, beyond - Math.min(ownReserve, moderated));
}

/** `lent`: what all servers together have borrowed today. `reserved`: part of what is left that only moderation may spend. */
export function leftOfPart(part: GuildPart, use: PartUse, lent: number) {
  const borrowed = borrowedOf(part, use);
  const ownLeft = Math.max(0, part.own - (use.used - borrowed));
  const forAnything = Math.max(0, ownLeft - part.ownReserve);
  const mayBorrow = (kept: number) =>
    Math.max(0, Math.min(part.mostBorrowed - borrowed, part.common - kept - lent));
  const left = ownLeft + mayBorrow(0);
  return { left, reserved: left - forAnything - mayBorrow(part.commonReserve) };
}
