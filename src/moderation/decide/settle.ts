import { aboutComment, aboutDecision, recordEntry } from "../audit/index.ts";
import { refOf } from "../ids.ts";
import type {
  AuditAct,
  AuditEntry,
  CommentDecision,
  DecisionKind,
  HeldComment,
} from "../records/index.ts";
import { endOf, returned } from "./claim.ts";
import type { Outcome, SentOutcome } from "./outcome.ts";
import type { DecideDeps } from "./parts.ts";
import { firstLookMs } from "./times.ts";

/** What it is called on record. */
export const actOf = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
} as const satisfies Record<DecisionKind, AuditAct>;

export type Sent = readonly [HeldComment, SentOutcome];

/**
 * Writes down what came of decisions, all of it or nothing: the comments, the audit log, what is known of their authors,
 * and the same comments in other queues. @throws ServiceError `store_unavailable`.
 */
export async function settle(
  deps: DecideDeps,
  guildId: string,
  sent: readonly Sent[],
): Promise<void> {
  const { database, records, onRecord } = deps;
  const added = await database.transaction(async () => {
    const entries: AuditEntry[] = [];
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
      entries.push(...(await recordEntry(deps, guildId, entryOf(item, outcome))));
      if (outcome.state === "done") done.push(after);
    }
    await spread(deps, guildId, done);
    for (const [item, outcome] of sent) {
      if (outcome.state !== "unclear") continue;
      const unconfirmed = { lookAt: now + firstLookMs, tries: 0, failure: outcome.failure };
      await noteUnconfirmed(deps, guildId, item, unconfirmed);
    }
    return entries;
  });
  for (const entry of added) onRecord?.(entry);
}

/** When it is looked at again. */
export async function noteUnconfirmed(
  { records }: DecideDeps,
  guildId: string,
  item: HeldComment,
  unconfirmed: NonNullable<CommentDecision["unconfirmed"]>,
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

function entryOf(item: HeldComment, outcome: Outcome): Omit<AuditEntry, "id"> {
  const { kind } = item.decision ?? {};
  return {
    ...aboutDecision(item),
    ...aboutComment(item),
    ...(outcome.state === "done" && kind !== undefined
      ? { act: actOf[kind], answer: "done" }
      : { act: "failed", answer: outcome.state === "done" ? "done" : outcome.failure.code }),
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
