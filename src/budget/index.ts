/** Quota units, searches, uploads and image credits: what they cost, who may spend how much, and who spent it. */

export { type BucketSums, sumOf } from "./amounts.ts";
export { pacificDate, quotaResetAfter } from "./calendar.ts";
export {
  createSpending,
  type Spending,
  type SpendingOptions,
  type VideoCharge,
} from "./create-spending.ts";
export { defaultLimits, defaultReserve } from "./measure.ts";
export { projectOfClient, projectOfKey } from "./project.ts";
export {
  budgetsOf,
  type LimitedRank,
  limitsFor,
  rankBudget,
  spendable,
} from "./rank-budgets.ts";
export { quotaExceeded } from "./refuse.ts";
export { rememberExhaustion } from "./remember-exhaustion.ts";
export type * from "./types.ts";
