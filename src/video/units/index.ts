export { defaultLimits, defaultReserve } from "./buckets.ts";
export { createUnits } from "./create-units.ts";
export type { Booking, Bucket, Charge, Meter, Spending } from "./meter.ts";
export { projectOfClient, projectOfKey } from "./project.ts";
export { pacificDate, quotaResetAfter } from "./quota-reset.ts";
export type { Amount, Budget, Terms } from "./terms.ts";
export { sumOf } from "./terms.ts";
export type {
  Account,
  Bound,
  Left,
  Spender,
  Spent,
  SpentOf,
  UnitRecords,
  Units,
  UnitsOptions,
} from "./types.ts";
