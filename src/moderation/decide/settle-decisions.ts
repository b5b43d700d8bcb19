import type { BotError } from "../../errors.ts";
import { auditFactsOf, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type AuditAct,
  type CommentDecision,
  type HeldComment,
  type HeldCommentStatus,
  itemRefOf,
  toItemId,
  type UnconfirmedDecision,
} from "../records/index.ts";
import type { DirectDecision } from "../types.ts";
import { restoreStatus, settledStatusOf } from "./claim.ts";
import { decisionFailureOf, delayFor, isSameDelay, withDelay } from "./delay.ts";
import type { DecideDeps } from "./deps.ts";
import type { DecisionOutcome, SentDecision } from "./send-batch.ts";

/** The name of a decision in the audit log. */
export const actOf = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
  replied: "replied",
} as const satisfies Record<DirectDecision["kind"], AuditAct>;

/** YouTube shows a comment's new status only after a moment: docs/services/youtube.md#decisions */
const firstLookMs = 1_500;

/**
 * Stores the outcomes of decisions in one transaction: in the comments, the audit log, the authors' counts, and the same
 * comments in other queues. @throws ServiceError `store_unavailable`.
 */
export function settleDecisions(
  deps: DecideDeps,
  guildId: string,
  sent: readonly SentDecision[],
): Promise<void> {
  const { database, records } = deps;
  return recordChange(deps, guildId, async (record) => {
    const now = database.now();
    const ended: [HeldComment, DecisionOutcome][] = [];
    for (const [item, outcome] of sent) {
      if (outcome.state === "unclear") {
        const unconfirmed = { lookAt: now + firstLookMs, tries: 0, failure: outcome.failure };
        await noteUnconfirmed(deps, guildId, item, unconfirmed);
      } else if (outcome.state !== "delayed") ended.push([item, outcome]);
      else if (!(await delay(deps, guildId, item, outcome.cause))) {
        ended.push([item, { state: "back", failure: decisionFailureOf(outcome.cause) }]);
      }
    }
    const changed = await records.comments.changeAll(
      guildId,
      ended.map(([item, outcome]) => ({
        ref: itemRefOf(item),
        make: (stored) =>
          isSameOpenDecision(stored, item.decision) ? applyOutcome(stored, outcome, now) : stored,
      })),
    );
    const done: HeldComment[] = [];
    for (const [item, outcome] of ended) {
      const after = changed.find(({ id, watchId }) => id === item.id && watchId === item.watchId);
      // Somebody else settled it first.
      if (after === undefined) continue;
      // The reason may have been added while the decision was sent.
      const reason = after.decision?.reason ?? item.decision?.reason;
      await record({ ...auditEntryOf(item, outcome, now), ...(reason && { reason }) });
      if (outcome.state === "done") done.push(after);
    }
    await updateOthers(deps, guildId, done);
  });
}

/** Keeps a decision for a later try; false if it has to go back to people. */
async function delay(
  { database, records: { comments } }: DecideDeps,
  guildId: string,
  item: HeldComment,
  cause: BotError,
): Promise<boolean> {
  const before = item.decision?.delay;
  const made = delayFor(cause, database.now(), before);
  if (made === undefined) return false;
  const make = (stored: HeldComment) =>
    isSameOpenDecision(stored, item.decision) ? withDelay(stored, made) : stored;
  // Not redrawn after each try.
  const change = isSameDelay(before, made) ? comments.changeSilently : comments.change;
  await change(guildId, itemRefOf(item), make);
  return true;
}

/** Notes with a decision that its effect is unknown, and when to check. */
export async function noteUnconfirmed(
  { records }: DecideDeps,
  guildId: string,
  item: HeldComment,
  unconfirmed: UnconfirmedDecision,
): Promise<void> {
  const { change, changeSilently } = records.comments;
  // Its card says once that the answer is still missing.
  const write = unconfirmed.tries === 1 ? change : changeSilently;
  await write(guildId, itemRefOf(item), (stored) =>
    stored.decision !== undefined && isSameOpenDecision(stored, item.decision)
      ? { ...stored, decision: { ...stored.decision, unconfirmed } }
      : stored,
  );
}

export function isSameOpenDecision(
  { status, decision }: HeldComment,
  of: CommentDecision | undefined,
): boolean {
  const isOpen = status === "pending" || status === "sending";
  return isOpen && decision?.at === of?.at && decision?.kind === of?.kind;
}

function applyOutcome(item: HeldComment, outcome: DecisionOutcome, now: number): HeldComment {
  const { decision } = item;
  if (decision === undefined) return item;
  const { kind } = decision;
  const { unconfirmed: _, delay: __, ...rest } = decision;
  if (outcome.state === "done") {
    return { ...item, status: settledStatusOf[kind], decision: rest, endedAt: now };
  }
  const failure = { ...outcome.failure, kind, at: now };
  if (outcome.state === "back") return { ...restoreStatus(item, now), failure };
  const { decision: ___, ...undecided } = item;
  return { ...undecided, status: outcome.state, endedAt: now, failure };
}

function auditEntryOf(item: HeldComment, outcome: DecisionOutcome, now: number): NewAuditEntry {
  const { decision } = item;
  if (decision === undefined) throw new TypeError("nothing was decided about this comment");
  const { at, by, from, kind, delay } = decision;
  const isDone = outcome.state === "done";
  return {
    at,
    by,
    from,
    ...auditFactsOf(item),
    ...(delay && { settledAt: now }),
    act: isDone ? actOf[kind] : "failed",
    answer: isDone ? "done" : outcome.failure.code,
  };
}

/** Counts decisions for the authors, and copies them to the same comments in other queues. */
async function updateOthers(
  { database, records }: DecideDeps,
  guildId: string,
  done: readonly HeldComment[],
): Promise<void> {
  for (const [authorId, theirs] of Map.groupBy(done, ({ comment }) => comment.authorId)) {
    const among = (status: string) => theirs.filter((one) => one.status === status).length;
    // An approval that was taken back counts no longer.
    const revised = theirs.filter(({ decision }) => decision?.was === "approved").length;
    const [approved, rejected] = [among("approved") - revised, among("rejected")];
    if (approved !== 0 || rejected !== 0) {
      await records.authors.add(guildId, authorId, { approved, rejected });
    }
  }
  const byId = new Map(done.map((one) => [one.id, one]));
  const everywhere = await records.comments.readInAllWatches(guildId, ...byId.keys());
  const changes = everywhere.flatMap((one) => {
    const of = byId.get(one.id);
    if (of === undefined || one.watchId === of.watchId || one.source !== of.source) return [];
    return [
      {
        ref: itemRefOf(one),
        make: (other: HeldComment) => copyDecision(other, of, database.now()),
      },
    ];
  });
  await records.comments.changeAll(guildId, changes);
}

function copyDecision(
  other: HeldComment,
  { status, decision }: HeldComment,
  now: number,
): HeldComment {
  if (other.status !== "open" && other.status !== "later") return other;
  const { later: _, failure: __, ...rest } = other;
  return { ...rest, status, endedAt: now, ...(decision && { decision }) };
}

/** Records a command's decision in the audit log and in all queues. @throws ServiceError `store_unavailable`. */
export function recordDirectDecision(
  deps: DecideDeps,
  guildId: string,
  direct: DirectDecision,
): Promise<void> {
  const { database, records } = deps;
  const reply = direct.reply === undefined ? undefined : replyBeginning(direct.reply);
  const settled = { ...direct, ...(reply !== undefined && { reply }) };
  const { kind, answer, ...about } = settled;
  return recordChange(deps, guildId, async (record) => {
    const at = database.now();
    const isDone = answer === "done";
    await record({ at, answer, ...about, act: isDone ? actOf[kind] : "failed" });
    if (!isDone) return;
    const everywhere = await records.comments.readInAllWatches(guildId, toItemId(about.commentId));
    const own = everywhere.filter((one) => one.source === about.source);
    const changed = await records.comments.changeAll(
      guildId,
      own.map((one) => ({
        ref: itemRefOf(one),
        make: (item) => applyDirectDecision(deps, item, { guildId, settled, at }),
      })),
    );
    // What is on its way is counted when it has arrived.
    if (own.some(({ status }) => status === "sending")) return;
    const before = own.find(isCounted)?.status;
    const after = kind === "replied" ? changed.find(isCounted)?.status : settledStatusOf[kind];
    await countAgain(deps, guildId, about.authorId ?? own[0]?.comment.authorId, [before, after]);
  });
}

function isCounted({ status }: HeldComment): boolean {
  return status === "approved" || status === "rejected";
}

/** Counts a comment of an author for what it is after a change, and no longer for what it was. */
export async function countAgain(
  { records }: Pick<DecideDeps, "records">,
  guildId: string,
  authorId: string | undefined,
  [before, after]: readonly [HeldCommentStatus | undefined, HeldCommentStatus | undefined],
): Promise<void> {
  const changeOf = (status: HeldCommentStatus) =>
    (after === status ? 1 : 0) - (before === status ? 1 : 0);
  const counts = { approved: changeOf("approved"), rejected: changeOf("rejected") };
  if (counts.approved === 0 && counts.rejected === 0) return;
  await records.authors.add(guildId, authorId, counts);
}

const replyChars = 300;

/** As much of a reply as cards and the log show. */
export function replyBeginning(text: string): string {
  return text.length > replyChars ? `${text.slice(0, replyChars - 1)}…` : text;
}

/** Who answers a comment that is published already has dealt with it, so its card closes. */
export function markReplied(
  item: HeldComment,
  replied: NonNullable<HeldComment["replied"]>,
): HeldComment {
  const isWaiting = item.status === "open" || item.status === "later";
  if (!isWaiting || item.comment.state !== "published") return { ...item, replied };
  const { later: _, failure: __, undone: ___, ...rest } = item;
  const { by, at } = replied;
  const decision = { kind: "approve", by, from: "card", at, dueAt: at } as const;
  return { ...rest, replied, decision, status: "approved", endedAt: at };
}

function applyDirectDecision(
  { counts }: DecideDeps,
  item: HeldComment,
  {
    guildId,
    settled: { commentId, kind, by, from, reply },
    at,
  }: { readonly guildId: string; readonly settled: DirectDecision; readonly at: number },
): HeldComment {
  if (kind === "replied") return markReplied(item, { by, at, text: reply });
  // A decision of the queue is being sent and will have an outcome in a moment.
  if (item.status === "sending") return item;
  const { later: _, failure: __, undone: ___, ...rest } = item;
  const decision = { kind, by, from, at, dueAt: at };
  const decisions = counts.known({ guildId, commentId });
  return {
    ...rest,
    status: settledStatusOf[kind],
    decision,
    endedAt: at,
    ...(decisions && { decisions }),
  };
}
