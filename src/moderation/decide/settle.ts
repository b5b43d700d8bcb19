import { aboutComment, type NewAuditEntry, recordChange } from "../audit.ts";
import {
  type AuditAct,
  type CommentDecision,
  type HeldComment,
  itemIdOf,
  refOf,
  type UnconfirmedDecision,
} from "../records/index.ts";
import type { Settled } from "../types.ts";
import { endOf, returned } from "./claim.ts";
import type { DecideDeps } from "./parts.ts";
import type { Outcome, SentOutcome } from "./send.ts";

/** What it is called on record. */
const actOf = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
  replied: "replied",
} as const satisfies Record<Settled["kind"], AuditAct>;

/** How comments stand is told a little late (facts, section 7). */
const firstLookMs = 1_500;

export type Sent = readonly [HeldComment, SentOutcome];

/**
 * Writes down what came of decisions, all of it or nothing: the comments, the audit log, what is known of their authors,
 * and the same comments in other queues. @throws ServiceError `store_unavailable`.
 */
export function settle(deps: DecideDeps, guildId: string, sent: readonly Sent[]): Promise<void> {
  const { database, records } = deps;
  return recordChange(deps, guildId, async (record) => {
    const now = database.now();
    const ended = sent.flatMap(([item, outcome]) =>
      outcome.state === "unclear" ? [] : [[item, outcome] as const],
    );
    const changed = await records.comments.changeAll(
      guildId,
      ended.map(([item, outcome]) => ({
        ref: refOf(item),
        make: (stored) =>
          isUnderWay(stored, item.decision) ? endedBy(stored, outcome, now) : stored,
      })),
    );
    const done: HeldComment[] = [];
    for (const [item, outcome] of ended) {
      const after = changed.find(({ id, watchId }) => id === item.id && watchId === item.watchId);
      // Somebody else has settled it.
      if (after === undefined) continue;
      await record(entryOf(item, outcome));
      if (outcome.state === "done") done.push(after);
    }
    await spread(deps, guildId, done);
    for (const [item, outcome] of sent) {
      if (outcome.state !== "unclear") continue;
      const unconfirmed = { lookAt: now + firstLookMs, tries: 0, failure: outcome.failure };
      await noteUnconfirmed(deps, guildId, item, unconfirmed);
    }
  });
}

/** When it is looked at again. */
export async function noteUnconfirmed(
  { records }: DecideDeps,
  guildId: string,
  item: HeldComment,
  unconfirmed: UnconfirmedDecision,
): Promise<void> {
  await records.comments.note(guildId, refOf(item), (stored) =>
    stored.decision !== undefined && isUnderWay(stored, item.decision)
      ? { ...stored, decision: { ...stored.decision, unconfirmed } }
      : stored,
  );
}

export function isUnderWay(
  { status, decision }: HeldComment,
  of: CommentDecision | undefined,
): boolean {
  const isOpen = status === "pending" || status === "sending";
  return isOpen && decision?.at === of?.at && decision?.kind === of?.kind;
}

function endedBy(item: HeldComment, outcome: Outcome, now: number): HeldComment {
  const { decision } = item;
  if (decision === undefined) return item;
  const { kind } = decision;
  const { unconfirmed: _, ...rest } = decision;
  if (outcome.state === "done") {
    return { ...item, status: endOf[kind], decision: rest, endedAt: now };
  }
  const failure = { ...outcome.failure, kind, at: now };
  if (outcome.state === "back") return { ...returned(item, now), failure };
  const { decision: __, ...undecided } = item;
  return { ...undecided, status: outcome.state, endedAt: now, failure };
}

function entryOf(item: HeldComment, outcome: Outcome): NewAuditEntry {
  const { decision } = item;
  if (decision === undefined) throw new TypeError("nothing was decided about this comment");
  const { at, by, from, kind } = decision;
  const isDone = outcome.state === "done";
  return {
    ...{ at, by, from, ...aboutComment(item) },
    ...{ act: isDone ? actOf[kind] : "failed", answer: isDone ? "done" : outcome.failure.code },
  };
}

/** Counts them for their authors, and lets other queues that hold the same comments follow. */
async function spread(
  { database, records }: DecideDeps,
  guildId: string,
  done: readonly HeldComment[],
): Promise<void> {
  for (const [authorId, theirs] of Map.groupBy(done, ({ comment }) => comment.authorId)) {
    const among = (status: string) => theirs.filter((one) => one.status === status).length;
    const [approved, rejected] = [among("approved"), among("rejected")];
    if (approved + rejected > 0) {
      await records.authors.add(guildId, authorId, { approved, rejected });
    }
  }
  const byId = new Map(done.map((one) => [one.id, one]));
  const everywhere = await records.comments.everywhere(guildId, ...byId.keys());
  const changes = everywhere.flatMap((one) => {
    const of = byId.get(one.id);
    if (of === undefined || one.watchId === of.watchId || one.source !== of.source) return [];
    return [{ ref: refOf(one), make: (other: HeldComment) => followed(other, of, database.now()) }];
  });
  await records.comments.changeAll(guildId, changes);
}

function followed(other: HeldComment, { status, decision }: HeldComment, now: number): HeldComment {
  if (other.status !== "open" && other.status !== "later") return other;
  const { later: _, failure: __, ...rest } = other;
  return { ...rest, status, endedAt: now, ...(decision && { decision }) };
}

/** What was decided on another way: it goes on record, and queues that hold the comment follow. @throws ServiceError `store_unavailable`. */
export function follow(deps: DecideDeps, guildId: string, settled: Settled): Promise<void> {
  const { database, records } = deps;
  const { kind, answer, ...about } = settled;
  return recordChange(deps, guildId, async (record) => {
    const at = database.now();
    const isDone = answer === "done";
    await record({ at, answer, ...about, act: isDone ? actOf[kind] : "failed" });
    if (!isDone) return;
    if (kind === "approve" || kind === "reject" || kind === "ban") {
      await records.authors.add(guildId, about.authorId, { [endOf[kind]]: 1 });
    }
    const everywhere = await records.comments.everywhere(guildId, itemIdOf(about.commentId));
    const own = everywhere.filter((one) => one.source === about.source);
    await records.comments.changeAll(
      guildId,
      own.map((one) => ({
        ref: refOf(one),
        make: (item) => following(deps, item, { guildId, settled, at }),
      })),
    );
  });
}

function following(
  { counts }: DecideDeps,
  item: HeldComment,
  {
    guildId,
    settled: { commentId, kind, by, from },
    at,
  }: { readonly guildId: string; readonly settled: Settled; readonly at: number },
): HeldComment {
  if (kind === "replied") return { ...item, replied: { by, at } };
  // The one that is on its way tells in a moment how it went.
  if (item.status === "sending") return item;
  const { later: _, failure: __, undone: ___, ...rest } = item;
  const decision = { kind, by, from, at, dueAt: at };
  const decisions = counts.known({ guildId, commentId });
  return {
    ...rest,
    ...{ status: endOf[kind], decision, endedAt: at },
    ...(decisions && { decisions }),
  };
}
