import { quotaResetAfter } from "../../budget/index.ts";
import { sql } from "../../database/index.ts";
import { type LimitError, ServiceError } from "../../errors.ts";
import { deriveHandle } from "../../store/index.ts";
import { auditFactsOf, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type Actor,
  type AuditEntry,
  type DecisionCount,
  type HeldComment,
  type ItemRef,
  toItemId,
} from "../records/index.ts";
import type { DecideRequest, DecisionResult, DirectDecision } from "../types.ts";
import { claimComments, undoDecision } from "./claim.ts";
import { createDecisionCounts } from "./decision-counts.ts";
import type { DecideDeps, DeciderDeps } from "./deps.ts";
import { handleSendQueue } from "./send-decisions.ts";
import { recordDirectDecision } from "./settle-decisions.ts";
import { endSnoozeNow, snooze } from "./snooze.ts";

/** Comments that are claimed in one transaction. */
const claimBatchSize = 25;

export type CommentDecider = ReturnType<typeof createCommentDecider>;

/** Takes decisions, and registers the `moderation.send` jobs that send them. */
export function createCommentDecider(deciderDeps: DeciderDeps) {
  const deps: DecideDeps = {
    ...deciderDeps,
    counts: createDecisionCounts(deciderDeps.database.now),
  };
  handleSendQueue(deps);
  return { of: (guildId: string) => createGuildDecisions(deps, guildId) };
}

/** Decisions of one guild. */
function createGuildDecisions(deps: DecideDeps, guildId: string) {
  const { database, records } = deps;
  return {
    /** The first decision counts. It is sent some seconds later, in one call with others of its kind. */
    decide: (request: DecideRequest): Promise<readonly DecisionResult[]> =>
      database.servers.runFor(guildId, () => decide(deps, guildId, request)),
    /** Undoes a pending decision. `late`: it is already being sent, or settled. */
    undo: (ref: ItemRef, by: Actor) => undo(deps, guildId, { ref, by }),
    /** Snoozes a comment: it comes back with a new card at that time. */
    snooze: (ref: ItemRef, by: Actor, until: number): Promise<DecisionResult> =>
      recordChange(deps, guildId, async (record) => {
        const snoozed = await snooze(deps, guildId, { ref, by, until });
        const { state, item } = snoozed;
        if (state === "pending" && item !== undefined) {
          await record(doneEntryOf(deps, item, { by, act: "later", from: originOf(item) }));
        }
        return snoozed;
      }),
    /** Ends a snooze at once. */
    endSnooze: async (ref: ItemRef) =>
      (await records.comments.change(guildId, ref, endSnoozeNow))?.comment,
    /** Records that somebody replied to the comment. */
    recordReply: (ref: ItemRef, by: Actor) => noteReply(deps, guildId, { ref, by }),
    /**
     * Counts decisions of a command before they are sent to YouTube. Returns the comments that may not be decided about again
     * today, each with the error.
     */
    countDirectDecisions: (commentIds: readonly string[], source: string) =>
      countDecisions(deps, guildId, { commentIds, source }),
    /** Records decisions of a command in the audit log, and updates the comments' cards. */
    async recordDirectDecisions(all: readonly DirectDecision[]): Promise<void> {
      for (const settled of all) await recordDirectDecision(deps, guildId, settled);
    },
  };
}

interface ActOptions {
  readonly ref: ItemRef;
  readonly by: Actor;
}

async function undo(
  deps: DecideDeps,
  guildId: string,
  { ref, by }: ActOptions,
): Promise<{ readonly state: "open" | "late"; readonly item?: HeldComment | undefined }> {
  const back = await recordChange(deps, guildId, async (record) => {
    const taken = await undoDecision(deps, guildId, { ref, by });
    if (taken === undefined) return undefined;
    await record(doneEntryOf(deps, taken.item, { by, act: "undone", from: taken.from }));
    return taken.item;
  });
  if (back !== undefined) return { state: "open", item: back };
  return { state: "late", item: await deps.records.comments.read(guildId, ref) };
}

function noteReply(
  deps: DecideDeps,
  guildId: string,
  { ref, by }: ActOptions,
): Promise<HeldComment | undefined> {
  const { database, records } = deps;
  return recordChange(deps, guildId, async (record) => {
    const replied = { by, at: database.now() };
    const changed = await records.comments.change(guildId, ref, (item) => ({ ...item, replied }));
    if (changed === undefined) return undefined;
    const item = changed.comment;
    await record(doneEntryOf(deps, item, { by, act: "replied", from: originOf(item) }));
    return item;
  });
}

function doneEntryOf(
  { database }: DecideDeps,
  item: HeldComment,
  entry: Pick<AuditEntry, "by" | "act" | "from">,
): NewAuditEntry {
  return { at: database.now(), answer: "done", ...auditFactsOf(item), ...entry };
}

async function decide(
  deps: DecideDeps,
  guildId: string,
  { items, ...request }: DecideRequest,
): Promise<readonly DecisionResult[]> {
  const decided: DecisionResult[] = [];
  for (let from = 0; from < items.length; from += claimBatchSize) {
    const some = { ...request, items: items.slice(from, from + claimBatchSize) };
    try {
      decided.push(...(await claimComments(deps, guildId, some)));
    } catch (error) {
      throw decided.some(({ state }) => state === "pending") ? partlyDoneError(error) : error;
    }
  }
  return decided;
}

/** Some comments were claimed, so the error must not say that nothing happened. */
function partlyDoneError(cause: unknown): unknown {
  if (!(cause instanceof ServiceError)) return cause;
  const { message, code, facts } = cause;
  return new ServiceError(message, { code, facts, outcome: "part", cause });
}

function originOf({ digestId }: HeldComment): AuditEntry["from"] {
  return digestId === undefined ? "card" : "digest";
}

/** Counts a decision about each comment; returns errors for those that were decided about too often today. */
async function countDecisions(
  deps: DecideDeps,
  guildId: string,
  { commentIds, source }: { readonly commentIds: readonly string[]; readonly source: string },
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = deps;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const of = {
      guildId,
      commentId,
      stored: await readStoredCount(deps, { guildId, commentId }, source),
    };
    // Counted with those of all processes, and not forgotten at a restart.
    counts.note(of, await countDirectDecision(deps, of, counts.next(of)));
    const refusal = counts.refusal(of, 1);
    if (refusal !== undefined) refused.set(commentId, refusal);
  }
  return refused;
}

interface CountedDecision {
  readonly guildId: string;
  readonly commentId: string;
}

/** Many a comment has no record of its own. If the database fails, this process counts alone. */
async function countDirectDecision(
  { database, log }: DecideDeps,
  { guildId, commentId }: CountedDecision,
  { day, count }: DecisionCount,
): Promise<DecisionCount> {
  const key = `decided ${deriveHandle(guildId, commentId)}`;
  const endsAt = quotaResetAfter(new Date(database.now())).getTime();
  const isOver = sql`rates.expires_at <= ${database.now()}`;
  try {
    const { rows } = await sql<{ data: string }>`
      insert into rates (key, data, expires_at) values (${key}, ${`${count}`}, ${endsAt})
      on conflict (key) do update set
        data = case when ${isOver} or cast(rates.data as integer) < ${count} - 1 then excluded.data
          else cast(cast(rates.data as integer) + 1 as text) end,
        expires_at = excluded.expires_at
      returning data`.execute(database.db);
    return { day, count: Number(rows[0]?.data ?? count) };
  } catch (error) {
    log.warn("decisions about a comment are counted in memory", { guildId, error });
    return { day, count };
  }
}

/** The count stored with the comment, if a queue has it. A database failure does not block the decision. */
async function readStoredCount(
  { records, log }: DecideDeps,
  { guildId, commentId }: CountedDecision,
  source: string,
): Promise<DecisionCount | undefined> {
  try {
    const everywhere = await records.comments.readInAllWatches(guildId, toItemId(commentId));
    return everywhere.find((one) => one.source === source && one.decisions !== undefined)
      ?.decisions;
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
    return undefined;
  }
}
