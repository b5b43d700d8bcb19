/** Watches in turn: one process looks after each, and another takes it up where that one ends. */

export { createRounds, type Rounds, type RoundsParts } from "./create-rounds.ts";
