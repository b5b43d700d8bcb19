/** The stored records of moderation, and their tables. */

import { type Database, sql } from "../../database/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { createAuditRecords } from "./audit-log.ts";
import { createAuthorNoteRecords, createAuthorRecords } from "./authors.ts";
import { createDigestRecords } from "./digests.ts";
import { createHeldCommentRecords } from "./held-comments.ts";
import { createRuleBookRecords } from "./rule-book.ts";
import { createRuleListRecords, createRuleShareRecords } from "./rule-lists.ts";
import { createSavedReplyRecords } from "./saved-replies.ts";
import { createWatchRecords } from "./watch-records.ts";

export type * from "./audit-log.ts";
export { isDecided, toTimeKey } from "./audit-log.ts";
export type * from "./authors.ts";
export type * from "./comment-queries.ts";
export type * from "./digests.ts";
export * from "./held-comment.ts";
export type * from "./held-comments.ts";
export type * from "./rule-book.ts";
export type * from "./rule-lists.ts";
export type * from "./saved-replies.ts";
export { foldReplyName } from "./saved-replies.ts";
export { findServerId } from "./select-records.ts";
export * from "./watch.ts";
export type * from "./watch-records.ts";

export type ModerationRecords = ReturnType<typeof createModerationRecords>;

/** `jobs`: a change that people can see starts the job that redraws its messages. */
export function createModerationRecords(database: Database, jobs: Pick<Jobs, "put">) {
  const { db, dialect, servers, transaction } = database;
  return {
    /** Runs `work` in a transaction in which no other work of this kind runs for the server. */
    inTurn: <T>(guildId: string, work: () => Promise<T>): Promise<T> =>
      transaction(async () => {
        const serverId = await servers.need(guildId);
        if (dialect === "postgres") {
          await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
        }
        return work();
      }),
    comments: createHeldCommentRecords(database, jobs),
    digests: createDigestRecords(database),
    authors: createAuthorRecords(database),
    notes: createAuthorNoteRecords(database),
    audit: createAuditRecords(database),
    rules: createRuleBookRecords(database),
    lists: createRuleListRecords(database),
    shares: createRuleShareRecords(database),
    replies: createSavedReplyRecords(database),
    watches: createWatchRecords(database),
  };
}
