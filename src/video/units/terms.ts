import type { Bucket, Charge } from "./meter.ts";

type Amounts = Readonly<Partial<Record<Bucket, number>>>;

/** What may be spent a day, and whose budget it is. */
export interface Budget {
  readonly amount: number;
  readonly of: "person" | "rank";
  /** Whose rank it is, for words. */
  readonly rank?: string;
}

/** What holds for one spender beside what the service gives a project. */
export interface Terms {
  /** What the project may spend a day, where it is not the usual. */
  readonly limits?: Amounts | undefined;
  /** Share of the project's units that only moderation may spend; the one of `createUnits` when absent. */
  readonly reserve?: number | undefined;
  /** Several guilds spend of this project: each has a part of its own. */
  readonly isShared?: boolean | undefined;
  /** Most that the spender's guild may spend of this project a day. */
  readonly guild?: Amounts | undefined;
  /** What the spender alone may spend a day, of all projects together. */
  readonly budgets?: Readonly<Partial<Record<Bucket, Budget>>> | undefined;
  /** Nobody asked for it: the last tenth of everything is left alone. */
  readonly isSpare?: boolean | undefined;
}

export type Amount = Readonly<Record<Bucket, number>>;

export function sumOf(charges: readonly Pick<Charge, "bucket" | "cost">[]): Amount {
  const sum = { units: 0, searches: 0, uploads: 0 };
  for (const { bucket, cost } of charges) sum[bucket] += cost;
  return sum;
}
