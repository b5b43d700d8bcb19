import { AsyncLocalStorage } from "node:async_hooks";
import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import type { GuildPart } from "./guild-parts.ts";
import type { BilledTo, CallCharge } from "./types.ts";

/** Who spends, of which project, and what limits them. */
export interface AccountHolder {
  readonly project: string;
  readonly billedTo: BilledTo;
  /** Name of the guild's part, where the project is shared or the guild has a limit. */
  readonly part: string | undefined;
}

/** One booked call, until it is settled. */
export interface SpendingEntry {
  readonly holder: AccountHolder;
  readonly charge: CallCharge;
  readonly day: QuotaDay;
  /** Runs work in the async context of the call, so that an erasure of its guild is noticed. */
  readonly within: <T>(work: () => T) => T;
  /** Undefined until the database has been asked. */
  serverId: number | undefined;
  /** What the guild may spend of a project that several share. */
  guildPart: GuildPart | undefined;
  isStored: boolean;
  /** Set while the entry is still being counted although the call has been sent. */
  storing: Promise<unknown> | undefined;
}

/** What is added to the counters. */
export interface SpendingChange {
  readonly amount: number;
  readonly count: number;
  readonly isEmpty?: true;
}

export function createEntry(
  holder: AccountHolder,
  charge: CallCharge,
  day: QuotaDay,
): SpendingEntry {
  return {
    ...{ holder, charge, day, within: AsyncLocalStorage.snapshot() },
    ...{ serverId: undefined, guildPart: undefined, isStored: false, storing: undefined },
  };
}

export function amountOfEntry({ charge }: SpendingEntry): number {
  return toAmount(charge.bucket, charge.cost);
}

export type SpendingKey = ReturnType<typeof spendingKeyOf>;

/** The row of `spending` that the entry counts in. */
export function spendingKeyOf({ holder, charge, day }: SpendingEntry, serverId: number) {
  const { project, billedTo } = holder;
  const { userId, command, purpose = "" } = billedTo;
  const { bucket, method } = charge;
  return { serverId, day: day.name, bucket, userId, project, command, method, purpose };
}
