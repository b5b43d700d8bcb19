import type { BotError } from "../../errors.ts";
import { auditFacts, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type AuditAct,
  type CommentDecision,
  type HeldComment,
  isUnsettled,
  isWaiting,
  toItemRef,
  type UnconfirmedDecision,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { DirectDecision } from "../types.ts";
import { delayFor, isSameDelay, toDecisionFailure, withDelay } from "./delay.ts";
import type { DecisionOutcome, SentDecision } from "./send-batch.ts";
import { restoreStatus, settledStatuses } from "./take-decisions.ts";

/** The name of a decision in the audit log. */
export const decisionActs = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
  replied: "replied",
} as const satisfies Record<DirectDecision["kind"], AuditAct>;

/** YouTube shows a comment's new status only after a moment: docs/services/youtube.md#decisions */
const firstCheckMs = 1_500;

/**
 * Stores the outcomes of decisions in one transaction: in the comments, the audit log, the authors' counts, and the same
 * comments in other queues. @throws ServiceError `store_unavailable`.
 */
export function settleDecisions(
  room: ModerationRoom,
  guildId: string,
  sent: readonly SentDecision[],
): Promise<void> {
  const { database, records } = room;
  return recordChange(room, guildId, async (record) => {
    const now = database.now();
    const ended: [HeldComment, DecisionOutcome][] = [];
    for (const [item, outcome] of sent) {
      if (outcome.state === "unclear") {
        const unconfirmed = { lookAt: now + firstCheckMs, tries: 0, failure: outcome.failure };
        await noteUnconfirmed(room, guildId, item, unconfirmed);
      } else if (outcome.state !== "delayed") ended.push([item, outcome]);
      else if (!(await delay(room, guildId, item, outcome.cause))) {
        ended.push([item, { state: "back", failure: toDecisionFailure(outcome.cause) }]);
      }
    }
    const changed = await records.comments.changeAll(
      guildId,
      ended.map(([item, outcome]) => ({
        ref: toItemRef(item),
        make: (stored) =>
          isSameUnsettled(stored, item.decision) ? applyOutcome(stored, outcome, now) : stored,
      })),
    );
    const done: HeldComment[] = [];
    for (const [item, outcome] of ended) {
      const after = changed.find(({ id, watchId }) => id === item.id && watchId === item.watchId);
      // Somebody else settled it first.
      if (after === undefined) continue;
      // The reason may have been added while the decision was sent.
      const reason = after.decision?.reason ?? item.decision?.reason;
      await record({ ...auditEntryFor(item, outcome, now), reason });
      if (outcome.state === "done") done.push(after);
    }
    await updateOthers(room, guildId, done);
  });
}

/** Keeps a decision for a later try; false if it has to go back to people. */
async function delay(
  { database, records: { comments } }: ModerationRoom,
  guildId: string,
  item: HeldComment,
  cause: BotError,
): Promise<boolean> {
  const before = item.decision?.delay;
  const made = delayFor(cause, database.now(), before);
  if (made === undefined) return false;
  // Not redrawn after each try.
  const change = isSameDelay(before, made) ? comments.changeSilently : comments.change;
  await change(guildId, toItemRef(item), (stored) =>
    isSameUnsettled(stored, item.decision) ? withDelay(stored, made) : stored,
  );
  return true;
}

/** Notes with a decision that its effect is unknown, and when to check. */
export async function noteUnconfirmed(
  { records: { comments } }: ModerationRoom,
  guildId: string,
  item: HeldComment,
  unconfirmed: UnconfirmedDecision,
): Promise<void> {
  // Its card says once that the answer is still missing.
  const write = unconfirmed.tries === 1 ? comments.change : comments.changeSilently;
  await write(guildId, toItemRef(item), (stored) =>
    stored.decision !== undefined && isSameUnsettled(stored, item.decision)
      ? { ...stored, decision: { ...stored.decision, unconfirmed } }
      : stored,
  );
}

/** Whether a comment still has that decision, without an outcome. */
export function isSameUnsettled(item: HeldComment, of: CommentDecision | undefined): boolean {
  const { decision } = item;
  return isUnsettled(item) && decision?.at === of?.at && decision?.kind === of?.kind;
}

function applyOutcome(item: HeldComment, outcome: DecisionOutcome, now: number): HeldComment {
  const { decision } = item;
  if (decision === undefined) return item;
  const { kind } = decision;
  const { unconfirmed: _, delay: __, ...rest } = decision;
  if (outcome.state === "done") {
    return { ...item, status: settledStatuses[kind], decision: rest, endedAt: now };
  }
  const failure = { ...outcome.failure, kind, at: now };
  if (outcome.state === "back") return { ...restoreStatus(item, now), failure };
  return { ...item, decision: undefined, status: outcome.state, endedAt: now, failure };
}

function auditEntryFor(item: HeldComment, outcome: DecisionOutcome, now: number): NewAuditEntry {
  const { decision } = item;
  if (decision === undefined) throw new TypeError("nothing was decided about this comment");
  const { at, by, from, kind, delay } = decision;
  const isDone = outcome.state === "done";
  return {
    at,
    by,
    from,
    ...auditFacts(item),
    settledAt: delay && now,
    act: isDone ? decisionActs[kind] : "failed",
    answer: isDone ? "done" : outcome.failure.code,
  };
}

/** Counts decisions for the authors, and copies them to the same comments in other queues. */
async function updateOthers(
  { database, records }: ModerationRoom,
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
    const make = (other: HeldComment): HeldComment => {
      if (!isWaiting(other)) return other;
      const { later: _, failure: __, ...rest } = other;
      const { status, decision = rest.decision } = of;
      return { ...rest, status, endedAt: database.now(), decision };
    };
    return [{ ref: toItemRef(one), make }];
  });
  await records.comments.changeAll(guildId, changes);
}
