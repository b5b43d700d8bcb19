/** Records of moderation, and the tables they lie in. */

import type { Database } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { type AuditRecords, createAuditRecords } from "./audit-log.ts";
import { type AuthorRecords, createAuthors } from "./authors.ts";
import { createDigests, type DigestRecords } from "./digests.ts";
import { createHeldComments, type HeldCommentRecords } from "./held-comments.ts";
import { createRuleBooks, type RuleBookRecords } from "./rule-books.ts";
import { createSavedReplies, type SavedReplyRecords } from "./saved-replies.ts";
import { createWatchRecords, type WatchRecords } from "./watches.ts";

export type * from "./audit-entry.ts";
export {
  type AuditCount,
  type AuditFilter,
  type AuditPage,
  type AuditPageOptions,
  type AuditRecords,
  timeKey,
} from "./audit-log.ts";
export type { AuthorHistory, AuthorRecords } from "./authors.ts";
export type { Digest, DigestRecords } from "./digests.ts";
export type * from "./held-comment.ts";
export type {
  CommentChange,
  CommentsAfter,
  CommentsPage,
  HeldCommentRecords,
  PendingDecisions,
} from "./held-comments.ts";
export type * from "./rule.ts";
export type { RuleBookRecords } from "./rule-books.ts";
export { foldedName, type SavedReply, type SavedReplyRecords } from "./saved-replies.ts";
export type * from "./watch.ts";
export { blankProgress, type WatchAt, type WatchDemand, type WatchRecords } from "./watches.ts";

export interface ModerationRecords {
  readonly comments: HeldCommentRecords;
  readonly digests: DigestRecords;
  readonly authors: AuthorRecords;
  readonly audit: AuditRecords;
  readonly rules: RuleBookRecords;
  readonly replies: SavedReplyRecords;
  readonly watches: WatchRecords;
}

/** `jobs`: what people must see has its messages drawn by one. */
export function createModerationRecords(
  database: Database,
  jobs: Pick<Jobs, "put">,
): ModerationRecords {
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
