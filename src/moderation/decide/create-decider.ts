import { ServiceError } from "../../errors.ts";
import { auditFactsOf, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type Actor,
  type AuditEntry,
  type DecisionReason,
  type HeldComment,
  type ItemRef,
  itemRefOf,
} from "../records/index.ts";
import type { DecideRequest, DecisionBatch, DecisionResult, DirectDecision } from "../types.ts";
import { assign, type ClaimRequest, unassign } from "./assign.ts";
import { batchPages, hastenBatch } from "./batches.ts";
import { claimComments, undoDecision } from "./claim.ts";
import { countDecisions } from "./count-direct-decisions.ts";
import { createDecisionCounts } from "./decision-counts.ts";
import type { DecideDeps, DeciderDeps } from "./deps.ts";
import { explainRejection } from "./explain.ts";
import { foreseeDelays } from "./foresee-delay.ts";
import { handleSendQueue } from "./send-decisions.ts";
import { markReplied, recordDirectDecision, replyBeginning } from "./settle-decisions.ts";
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
    /** Has a batch sent soon; see `hastenBatch`. */
    hasten: (batch: DecisionBatch) => hastenBatch(deps, guildId, batch),
    /** Undoes what is left of a batch; returns how many decisions that were. */
    undoBatch: (batch: DecisionBatch, by: Actor) => undoBatch(deps, guildId, { batch, by }),
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
    /** Marks who deals with a comment that waits; see `assign`. */
    claim: async (ref: ItemRef, request: ClaimRequest) =>
      (await records.comments.change(guildId, ref, (item) => assign(item, request, database.now())))
        ?.comment,
    /** Ends that person's claim. */
    release: async (ref: ItemRef, userId: string) =>
      (await records.comments.change(guildId, ref, (item) => unassign(item, userId)))?.comment,
    /** Adds a reason to a rejection, sent or not. Undefined if it is none. @throws InputError `reason_text`. */
    explain: (ref: ItemRef, reason: DecisionReason) =>
      explainRejection(deps, guildId, { ref, ...reason }),
    /** Has the messages that show a comment drawn again. */
    redraw: async (ref: ItemRef) =>
      (await records.comments.change(guildId, ref, (item) => ({ ...item })))?.comment,
    /** Records that somebody replied to the comment. */
    recordReply: (ref: ItemRef, by: Actor, text: string) =>
      noteReply(deps, guildId, { ref, by, text: replyBeginning(text) }),
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

async function undoBatch(
  deps: DecideDeps,
  guildId: string,
  { batch, by }: { readonly batch: DecisionBatch; readonly by: Actor },
): Promise<number> {
  let count = 0;
  for await (const items of batchPages(deps, guildId, batch)) {
    for (const item of items) {
      const { state } = await undo(deps, guildId, { ref: itemRefOf(item), by });
      if (state === "open") count += 1;
    }
  }
  return count;
}

function noteReply(
  deps: DecideDeps,
  guildId: string,
  { ref, by, text }: ActOptions & { readonly text: string },
): Promise<HeldComment | undefined> {
  const { database, records } = deps;
  return recordChange(deps, guildId, async (record) => {
    const replied = { by, at: database.now(), text };
    const changed = await records.comments.change(guildId, ref, (item) =>
      markReplied(item, replied),
    );
    if (changed === undefined) return undefined;
    const item = changed.comment;
    await record(
      doneEntryOf(deps, item, { by, act: "replied", from: originOf(item), reply: text }),
    );
    return item;
  });
}

function doneEntryOf(
  { database }: DecideDeps,
  item: HeldComment,
  entry: Pick<AuditEntry, "by" | "act" | "from" | "reply">,
): NewAuditEntry {
  return { at: database.now(), answer: "done", ...auditFactsOf(item), ...entry };
}

async function decide(
  deps: DecideDeps,
  guildId: string,
  { items, ...request }: DecideRequest,
): Promise<readonly DecisionResult[]> {
  // What rules do is reported after it was tried.
  const delays = request.from === "rule" ? undefined : await foreseeDelays(deps, guildId, items);
  const decided: DecisionResult[] = [];
  for (let from = 0; from < items.length; from += claimBatchSize) {
    const some = { ...request, items: items.slice(from, from + claimBatchSize), delays };
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
