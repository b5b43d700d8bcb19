/** Held comments: read, shown to people, decided, kept on record. */

export { createModeration } from "./create-moderation.ts";
export { type ForgottenRecords, forgetOldRecords } from "./forget-old.ts";
export { itemIdOf } from "./ids.ts";
export type { ModerationOptions } from "./parts.ts";
export type * from "./records/index.ts";
export { maxReplyChars, maxReplyNameChars } from "./replies/index.ts";
export { type CostKind, openRuleEngine, type RuleEngine } from "./rules/index.ts";
export type * from "./types.ts";
