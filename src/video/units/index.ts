export { defaultLimits, defaultReserve } from "./buckets.ts";
export { createUnits } from "./create-units.ts";
export type { Booking, Bucket, Charge, Meter, Spending } from "./meter.ts";
export { projectOfClient, projectOfKey } from "./project.ts";
export { quotaResetAfter } from "./quota-reset.ts";
export type { Left, Spender, Spent, UnitRecords, Units, UnitsOptions } from "./types.ts";
