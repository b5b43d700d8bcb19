/** Decides how often watches poll and what decisions may spend, so that a day's units last for everybody. */

export { createPace, type Pace, type PaceDeps, spentToday } from "./create-pace.ts";
export { createDemandReader, type DemandReader } from "./demand.ts";
export { dailyUnitsOf, minPollMs, type PollDemand } from "./shares.ts";
