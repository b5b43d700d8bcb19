/** Quota units, searches, uploads and image credits: what they cost, who may spend how much, and who spent it. */

export { type BucketSums, sumOf } from "./amounts.ts";
export { pacificDate, quotaResetAfter } from "./calendar.ts";
export {
  createSpending,
  type Spending,
  type SpendingAccount,
  type SpendingOptions,
  type VideoCharge,
} from "./create-spending.ts";
export { defaultLimits, defaultReserve } from "./measure.ts";
export { projectOfClient, projectOfKey } from "./project.ts";
export { quotaExceeded } from "./quota-exceeded.ts";
export {
  budgetsOf,
  type ChosenLimits,
  type DailyAmounts,
  type LimitedPerson,
  type LimitedRank,
  limitsFor,
  rankBudget,
  spendable,
} from "./rank-budgets.ts";
export { rememberExhaustion } from "./remember-exhaustion.ts";
export type {
  BilledTo,
  Booking,
  Bucket,
  Budget,
  CallResult,
  Charge,
  CreditsSpent,
  QuotaAmounts,
  QuotaBound,
  QuotaState,
  Spendable,
  SpendingLimits,
  SpendingLine,
  SpendingMeter,
} from "./types.ts";
