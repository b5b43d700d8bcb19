/** Decisions: who was first, how long they can be taken back, and how they reach the service. */

export { undoMs } from "./claim.ts";
export { createDecider, type Decider } from "./create-decider.ts";
export { comeBack } from "./snooze.ts";
