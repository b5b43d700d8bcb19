/** Takes decisions: who was first, how long they can be undone, and how they reach YouTube. */

export { undoWindowMs } from "./claim.ts";
export { type CommentDecider, createCommentDecider } from "./create-decider.ts";
export { isRejection, maxReasonChars } from "./explain.ts";
export { endSnooze } from "./snooze.ts";
