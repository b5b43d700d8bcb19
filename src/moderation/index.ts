/** Held comments: read, shown to people, decided, kept on record. */

export type { Audit, RecordedChange } from "./audit.ts";
export type { AuthorComment } from "./author-comments.ts";
export { type AuthorNotes, maxNoteChars } from "./author-notes.ts";
export { createModeration, type GuildModeration, type Moderation } from "./create-moderation.ts";
export { isRejection, maxReasonChars } from "./decide/index.ts";
export type { ModerationDeps } from "./deps.ts";
export type { AuthorTraces } from "./erase-author.ts";
export { type ForgottenRecords, forgetOldRecords } from "./forget-old-records.ts";
export type { Queue } from "./queue.ts";
export type * from "./records/index.ts";
export { isKept, itemRefOf, toItemId } from "./records/index.ts";
export { type CostKind, openRuleEngine, type RuleEngine, type Rules } from "./rules/index.ts";
export { maxReplyChars, maxReplyNameChars, type SavedReplies } from "./saved-replies.ts";
export {
  type DecidedAct,
  nextSummaryAt,
  type RuleSuggestion,
  type Weekday,
  type WeekSummary,
} from "./summary/index.ts";
export type * from "./types.ts";
export type { Watches } from "./watches.ts";
