import type { Bucket, CallResult, Charge, Spendable } from "./types.ts";

/** What the video service counts by the day. */
export const buckets = ["units", "searches", "uploads"] as const satisfies readonly Bucket[];

/** The image service charges quarters of a credit; whole thousandths add up without loss. */
const perCredit = 1_000;

/** As it is stored and compared: whole units, calls, or thousandths of a credit. */
export function toAmount(bucket: Spendable, cost: number): number {
  return bucket === "credits" ? Math.round(cost * perCredit) : cost;
}

export function toCost(bucket: Spendable, amount: number): number {
  return bucket === "credits" ? amount / perCredit : amount;
}

/**
 * What a call has cost. Whether the video service charges a failed attempt is written nowhere. Of the many units each
 * counts; of a hundred searches it does not, or one bad minute of the service would close the day for everybody.
 */
export function costOf({ bucket, cost }: Charge, { attempts, charged }: CallResult): number {
  if (attempts === 0) return 0;
  if (charged !== undefined) return charged;
  return bucket === "units" ? attempts * cost : cost;
}

export type BucketSums = Readonly<Record<Bucket, number>>;

/** What all these calls take, by bucket. */
export function sumOf(
  charges: readonly { readonly bucket: Bucket; readonly cost: number }[],
): BucketSums {
  const sum = { units: 0, searches: 0, uploads: 0 };
  for (const { bucket, cost } of charges) sum[bucket] += cost;
  return sum;
}
