/** Records of moderation, and the tables they lie in. */

import type { Database } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { createAuditRecords } from "./audit-log.ts";
import { createAuthors } from "./authors.ts";
import { createDigests } from "./digests.ts";
import { createHeldComments } from "./held-comments.ts";
import { createRuleBooks } from "./rule.ts";
import { createSavedReplies } from "./saved-replies.ts";
import { createWatchRecords } from "./watches.ts";

export type * from "./audit-log.ts";
export { timeKey } from "./audit-log.ts";
export type * from "./authors.ts";
export type * from "./comment-queries.ts";
export type * from "./digests.ts";
export * from "./held-comment.ts";
export type * from "./held-comments.ts";
export type * from "./rule.ts";
export type * from "./saved-replies.ts";
export { foldedName } from "./saved-replies.ts";
export type * from "./watch.ts";
export type * from "./watches.ts";

export type ModerationRecords = ReturnType<typeof createModerationRecords>;

/** `jobs`: what people must see has its messages drawn by one. */
export function createModerationRecords(database: Database, jobs: Pick<Jobs, "put">) {
  return {
    comments: createHeldComments(database, jobs),
    digests: createDigests(database),
    authors: createAuthors(database),
    audit: createAuditRecords(database),
    rules: createRuleBooks(database),
    replies: createSavedReplies(database),
    watches: createWatchRecords(database),
  };
}
