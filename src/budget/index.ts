/** Quota units, searches, uploads and image credits: what they cost, who may spend how much, and who spent it. */

export { type BucketSums, sumByBucket } from "./amounts.ts";
export type { OnSpent } from "./bookings.ts";
export { lastDays, pacificDate, quotaResetAfter } from "./calendar.ts";
export {
  createSpending,
  projectOfClient,
  projectOfKey,
  type Spending,
  type SpendingOptions,
  type VideoCharge,
} from "./create-spending.ts";
export { defaultLimits, defaultReserve } from "./measure.ts";
export {
  findBudgets,
  findSpendingLimits,
  type LimitedRank,
  limitedRanks,
  rankBudget,
  spendingKinds,
} from "./rank-budgets.ts";
export { createQuotaExceededError } from "./refuse-over.ts";
export { rememberExhaustion } from "./remember-exhaustion.ts";
export type * from "./types.ts";
