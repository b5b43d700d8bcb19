import type { CallCharge, CallResult, QuotaBucket, SpendingKind } from "./types.ts";

/** What YouTube counts by the day. */
export const quotaBuckets = [
  "units",
  "searches",
  "uploads",
] as const satisfies readonly QuotaBucket[];

/** remove.bg charges quarters of a credit; whole thousandths add up without rounding errors. */
const amountPerCredit = 1_000;

/** A cost as it is stored and compared: whole units, calls, or thousandths of a credit. */
export function toAmount(bucket: SpendingKind, cost: number): number {
  return bucket === "credits" ? Math.round(cost * amountPerCredit) : cost;
}

export function toCost(bucket: SpendingKind, amount: number): number {
  return bucket === "credits" ? amount / amountPerCredit : amount;
}

/**
 * What a call has cost. It is not documented whether YouTube charges failed attempts. Units are plentiful, so
 * each attempt counts; searches and uploads are few, so only the call counts, or one bad minute of YouTube would use
 * up the day for everybody.
 */
export function costOfCall(
  { bucket, cost }: CallCharge,
  { attempts, charged }: CallResult,
): number {
  if (attempts === 0) return 0;
  if (charged !== undefined) return charged;
  return bucket === "units" ? attempts * cost : cost;
}

export type BucketSums = Readonly<Record<QuotaBucket, number>>;

/** What all these calls cost together, by bucket. */
export function sumByBucket(
  charges: readonly { readonly bucket: QuotaBucket; readonly cost: number }[],
): BucketSums {
  const sum = { units: 0, searches: 0, uploads: 0 };
  for (const { bucket, cost } of charges) sum[bucket] += cost;
  return sum;
}
