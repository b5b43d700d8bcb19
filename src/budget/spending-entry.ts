import { toAmount } from "./amounts.ts";
import type { QuotaDay } from "./calendar.ts";
import type { QuotaPart } from "./quota-parts.ts";
import type { BilledTo, CallCharge, QuotaSharer } from "./types.ts";

/** Who spends, of which project, and what limits them. */
export interface AccountHolder {
  readonly project: string;
  readonly billedTo: BilledTo;
  /** Who spends of a shared project. */
  readonly sharer?: QuotaSharer | undefined;
}

/** Names under which spending is counted, which reveal neither server nor channel nor person. */
export interface PartNames {
  /** All channels of the person who linked the channel, where the project is shared. */
  readonly linker?: string;
  readonly channel?: string;
  /** The server, where the operator limits it. */
  readonly server?: string;
  /** The person, where they have a budget: whoever counts for them changes this row, in whichever project. */
  readonly person?: string;
}

/** One booked call, until it is settled. */
export interface SpendingEntry {
  readonly holder: AccountHolder;
  readonly charge: CallCharge;
  readonly day: QuotaDay;
  /** Undefined until the database has been asked. */
  serverId: number | undefined;
  /** What may be spent of a project that several share. */
  part: QuotaPart | undefined;
  /** The names of the parts in which it is counted. */
  names: PartNames;
  isStored: boolean;
  /** Set while the entry is still being counted although the call has been sent. */
  storing: Promise<unknown> | undefined;
}

export interface SpendingChange {
  readonly amount: number;
  readonly count: number;
  readonly isEmpty?: true;
}

export function bookedAmount({ charge }: SpendingEntry): number {
  return toAmount(charge.bucket, charge.cost);
}

export type SpendingKey = ReturnType<typeof toSpendingKey>;

/** The row of `spending` that the entry counts in. */
export function toSpendingKey({ holder, charge, day }: SpendingEntry, serverId: number) {
  const { project, billedTo } = holder;
  const { userId, command, purpose = "" } = billedTo;
  const { bucket, method } = charge;
  return { serverId, day: day.name, bucket, userId, project, command, method, purpose };
}
