/** Held comments: read, shown to people, decided, kept on record. */

export type { Audit, RecordedChange } from "./audit.ts";
export type { AuthorComment } from "./author-comments.ts";
export { type AuthorNotes, maxNoteChars } from "./author-notes.ts";
export { createModeration, type Moderation, type ServerModeration } from "./create-moderation.ts";
export { isRejection, maxReasonChars } from "./decide/explain.ts";
export { decisionActs } from "./decide/settle-decisions.ts";
export { settledStatuses } from "./decide/take-decisions.ts";
export type { AuthorTraces } from "./erase-author.ts";
export { type ForgottenRecords, forgetOldRecords } from "./forget-old-records.ts";
export type { Queue } from "./queue.ts";
export type * from "./records/index.ts";
export { isFinal, isKept, isUnsettled, isWaiting, toItemId, toItemRef } from "./records/index.ts";
export type { ModerationDeps } from "./room.ts";
export type { Rules } from "./rules/create-rules.ts";
export { openRuleEngine, type RuleEngine } from "./rules/engine/open-rule-engine.ts";
export type { CostKind } from "./rules/engine/thread.ts";
export { maxReplyChars, maxReplyNameChars, type SavedReplies } from "./saved-replies.ts";
export { nextSummaryAt, type Weekday } from "./summary/next-summary.ts";
export type { RuleSuggestion } from "./summary/suggest-rules.ts";
export type { DecidedAct, WeekSummary } from "./summary/summarise-week.ts";
export type * from "./types.ts";
export type { Watches } from "./watches.ts";
