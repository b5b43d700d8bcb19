/** How often watches look, and what decisions may spend, so that a day's units last for everybody. */

export { createPace, type Pace, spentToday } from "./create-pace.ts";
export { createDemandReader, type DemandReader } from "./demand.ts";
export { type Demand, dailyUnitsOf, leastMs } from "./shares.ts";
