import { AsyncLocalStorage } from "node:async_hooks";
import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import type { GuildPart } from "./parts.ts";
import type { BilledTo, Charge } from "./types.ts";

/** Who calls, of which project, and what limits them. */
export interface AccountHolder {
  readonly project: string;
  readonly billedTo: BilledTo;
  /** The guild's row of what it spends of a project that several share. */
  readonly part: string | undefined;
}

/** What one call is booked under, until it is settled. */
export interface SpendingEntry {
  readonly holder: AccountHolder;
  readonly charge: Charge;
  readonly day: QuotaDay;
  /** As part of the work that it is booked for, whose guild may be erased meanwhile. */
  readonly within: <T>(work: () => T) => T;
  /** Undefined until the database was asked. */
  serverId: number | undefined;
  /** What the guild may spend of a project that several share. */
  guildPart: GuildPart | undefined;
  isStored: boolean;
  /** Being counted while the call is on its way already. */
  storing: Promise<unknown> | undefined;
}

/** What is added to the counters. */
export interface SpendingChange {
  readonly amount: number;
  readonly count: number;
  readonly isEmpty?: true;
}

export function createEntry(holder: AccountHolder, charge: Charge, day: QuotaDay): SpendingEntry {
  return {
    ...{ holder, charge, day, within: AsyncLocalStorage.snapshot() },
    ...{ serverId: undefined, guildPart: undefined, isStored: false, storing: undefined },
  };
}

export function amountOf({ charge }: SpendingEntry): number {
  return toAmount(charge.bucket, charge.cost);
}

export type SpendingKey = ReturnType<typeof keyOf>;

/** The row of `spending` that it counts in. */
export function keyOf({ holder, charge, day }: SpendingEntry, serverId: number) {
  const { project, billedTo } = holder;
  const { userId, command, purpose = "" } = billedTo;
  const { bucket, method } = charge;
  return { serverId, day: day.name, bucket, userId, project, command, method, purpose };
}
