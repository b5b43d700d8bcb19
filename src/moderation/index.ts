/** Held comments: read, shown to people, decided, kept on record. */

import { handleAnnounceQueue } from "./announce/announce-job.ts";
import { createAudit } from "./audit.ts";
import { createAuthorNotes } from "./author-notes.ts";
import { handleSendQueue } from "./decide/send-decisions.ts";
import { handleEndQueue } from "./end-watch.ts";
import { createAuthorErasure } from "./erase-author.ts";
import { createLists } from "./lists/create-lists.ts";
import { handleListQueue } from "./lists/refresh-lists.ts";
import { handlePollQueue } from "./poll/poll-job.ts";
import { createQueue } from "./queue.ts";
import { createRoom, type ModerationDeps } from "./room.ts";
import { createRules } from "./rules/create-rules.ts";
import { createAdviser, createJudge } from "./rules/judge.ts";
import { createVerdictFinder } from "./rules/verdicts/find-verdicts.ts";
import { createSavedReplies } from "./saved-replies.ts";
import { createSummaries, handleSummaryQueue } from "./summary/summaries.ts";
import { createWatches } from "./watches.ts";

export type { Audit, RecordedChange } from "./audit.ts";
export type { AuthorComment } from "./author-comments.ts";
export { type AuthorNotes, maxNoteChars } from "./author-notes.ts";
export { isRejection, maxReasonChars } from "./decide/explain.ts";
export { decisionActs } from "./decide/settle-decisions.ts";
export { settledStatuses } from "./decide/take-decisions.ts";
export type { AuthorTraces } from "./erase-author.ts";
export { type ForgottenRecords, forgetOldRecords } from "./forget-old-records.ts";
export { tooWideShare } from "./lists/compare-copies.ts";
export { type Lists, maxListAddressChars, maxReleased } from "./lists/create-lists.ts";
export type { ListEffects } from "./lists/end-list.ts";
export type { Queue } from "./queue.ts";
export type * from "./records/index.ts";
export {
  isFinal,
  isKept,
  isUnsettled,
  isWaiting,
  toItemId,
  toItemRef,
  toPublicWatch,
} from "./records/index.ts";
export type { ModerationDeps } from "./room.ts";
export type { Rules } from "./rules/create-rules.ts";
export { openRuleEngine, type RuleEngine } from "./rules/engine/open-rule-engine.ts";
export type { CostKind } from "./rules/engine/thread.ts";
export { readFoundSign } from "./rules/matchers/names.ts";
export type { ImportedRules, ImportPlan } from "./rules/plan-import.ts";
export { maxReplyChars, maxReplyNameChars, type SavedReplies } from "./saved-replies.ts";
export type { RuleSuggestion } from "./summary/suggest-rules.ts";
export { nextSummaryAt, type Weekday } from "./summary/summaries.ts";
export type { WeekSummary } from "./summary/summarise-week.ts";
export type * from "./types.ts";
export type { Watches } from "./watches.ts";

export type Moderation = ReturnType<typeof createModeration>;

/** Moderation of one server. Every method throws ServiceError `store_unavailable`. */
export type ServerModeration = ReturnType<Moderation["of"]>;

/** Moderation for all servers of this process. It registers its jobs; they run once the job queue is started. */
export function createModeration(deps: ModerationDeps) {
  const room = createRoom(deps);
  const find = createVerdictFinder(room);
  handlePollQueue(room, createAdviser(room, find));
  handleAnnounceQueue(room, createJudge(room, find));
  handleSendQueue(room);
  handleEndQueue(room);
  handleSummaryQueue(room);
  handleListQueue(room);

  return {
    of: (guildId: string) => ({
      watches: createWatches(room, guildId),
      queue: createQueue(room, guildId),
      rules: createRules(room, guildId),
      lists: createLists(room, guildId),
      audit: createAudit(room, guildId),
      notes: createAuthorNotes(room, guildId),
      authors: createAuthorErasure(room, guildId),
      replies: createSavedReplies(room, guildId),
      summaries: createSummaries(room, guildId),
    }),
    /** For all servers: how many comments wait for people, and how many decisions wait to be sent. */
    load: room.records.comments.load,
    /** Drops what is in memory about a server whose records are being erased. */
    forget: room.engine.forget,
  };
}
