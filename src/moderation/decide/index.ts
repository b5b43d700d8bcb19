/** Decisions: who was first, how long they can be taken back, and how they reach the service. */

export { createDecider } from "./create-decider.ts";
export type { DeciderDeps } from "./parts.ts";
export { comeBack } from "./snooze.ts";
export { undoMs } from "./times.ts";
