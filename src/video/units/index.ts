export { defaultLimits, defaultReserve } from "./buckets.ts";
export { createUnits } from "./create-units.ts";
export { projectOfClient, projectOfKey } from "./project.ts";
export type {
  Counts,
  Left,
  RecordAt,
  Spender,
  Spent,
  UnitRecords,
  Units,
  UnitsOptions,
} from "./types.ts";
