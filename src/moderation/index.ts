/** Held comments: read, shown to people, decided, kept on record. */

export type { Audit } from "./audit.ts";
export { createModeration, type GuildModeration, type Moderation } from "./create-moderation.ts";
export type { ModerationDeps } from "./deps.ts";
export { type ForgottenRecords, forgetOldRecords } from "./forget-old-records.ts";
export type { Queue } from "./queue.ts";
export type * from "./records/index.ts";
export { toItemId } from "./records/index.ts";
export { type CostKind, openRuleEngine, type RuleEngine, type Rules } from "./rules/index.ts";
export { maxReplyChars, maxReplyNameChars, type SavedReplies } from "./saved-replies.ts";
export type * from "./types.ts";
export type { Watches } from "./watches.ts";
