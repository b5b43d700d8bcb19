/** How often watches look, and what decisions may spend, so that a day's units last for everybody. */

export { createPace, type Pacing, spentToday, type Turn, takerOf } from "./create-pace.ts";
export { leastMs, type Taker } from "./shares.ts";
