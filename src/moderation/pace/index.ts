/** How often watches look, and what decisions may spend, so that a day's units last for everybody. */

export { createPace, type Pacing, spentToday, type Turn } from "./create-pace.ts";
export { leastMs, type Taker } from "./shares.ts";
export { createTakers, type Takers, takerOf } from "./takers.ts";
