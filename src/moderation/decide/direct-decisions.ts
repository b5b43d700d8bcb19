import { quotaResetAfter } from "../../budget/index.ts";
import { sql } from "../../database/index.ts";
import type { LimitError } from "../../errors.ts";
import { deriveHandle } from "../../store/index.ts";
import { recordChange } from "../audit.ts";
import {
  type DecisionCount,
  type HeldComment,
  type HeldCommentStatus,
  isWaiting,
  toItemId,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { DirectDecision } from "../types.ts";
import { decisionActs } from "./settle-decisions.ts";
import { settledStatuses } from "./take-decisions.ts";

/**
 * Counts decisions that a command is about to send to YouTube. Returns those comments that were decided about too often today,
 * each with the error.
 */
export async function countDirectDecisions(
  room: ModerationRoom,
  guildId: string,
  { commentIds, source }: { readonly commentIds: readonly string[]; readonly source: string },
): Promise<ReadonlyMap<string, LimitError>> {
  const { counts } = room;
  const refused = new Map<string, LimitError>();
  for (const commentId of commentIds) {
    const at = { guildId, commentId };
    const of = { ...at, stored: await readStoredCount(room, at, source) };
    // Counted with those of all processes, and not forgotten at a restart.
    counts.note(of, await countInDatabase(room, of, counts.next(of)));
    const error = counts.findError(of, 1);
    if (error !== undefined) refused.set(commentId, error);
  }
  return refused;
}

interface CountedDecision {
  readonly guildId: string;
  readonly commentId: string;
}

/** Many a comment has no record of its own. If the database fails, this process counts alone. */
async function countInDatabase(
  { database, log }: ModerationRoom,
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
  { records, log }: ModerationRoom,
  { guildId, commentId }: CountedDecision,
  source: string,
): Promise<DecisionCount | undefined> {
  try {
    const everywhere = await records.comments.readInAllWatches(guildId, toItemId(commentId));
    return everywhere.find((one) => one.source === source && one.decisions)?.decisions;
  } catch (error) {
    log.warn("earlier decisions about a comment are not known", { guildId, error });
    return undefined;
  }
}

/** Records a command's decision in the audit log and in all queues. @throws ServiceError `store_unavailable`. */
export function recordDirectDecision(
  room: ModerationRoom,
  guildId: string,
  direct: DirectDecision,
): Promise<void> {
  const { database, records, counts } = room;
  const { kind, answer, ...given } = direct;
  const about = { ...given, reply: given.reply && replyBeginning(given.reply) };
  return recordChange(room, guildId, async (record) => {
    const at = database.now();
    const isDone = answer === "done";
    await record({ at, answer, ...about, act: isDone ? decisionActs[kind] : "failed" });
    if (!isDone) return;
    const { commentId, by, from, reply } = about;
    const everywhere = await records.comments.readInAllWatches(guildId, toItemId(commentId));
    const own = everywhere.filter((one) => one.source === about.source);
    const make = (item: HeldComment): HeldComment => {
      if (kind === "replied") return markReplied(item, { by, at, text: reply });
      // A decision of the queue is being sent and will have an outcome in a moment.
      if (item.status === "sending") return item;
      const { later: _, failure: __, undone: ___, ...rest } = item;
      return {
        ...rest,
        status: settledStatuses[kind],
        decision: { kind, by, from, at, dueAt: at },
        endedAt: at,
        decisions: counts.known({ guildId, commentId }) ?? rest.decisions,
      };
    };
    const changed = await records.comments.changeAll(
      guildId,
      own.map((one) => ({ ref: toItemRef(one), make })),
    );
    // What is on its way is counted when it has arrived.
    if (own.some(({ status }) => status === "sending")) return;
    const before = own.find(isCounted)?.status;
    const after = kind === "replied" ? changed.find(isCounted)?.status : settledStatuses[kind];
    await countAgain(room, guildId, about.authorId ?? own[0]?.comment.authorId, [before, after]);
  });
}

function isCounted({ status }: HeldComment): boolean {
  return status === "approved" || status === "rejected";
}

/** Counts a comment of an author for what it is after a change, and no longer for what it was. */
export async function countAgain(
  { records }: ModerationRoom,
  guildId: string,
  authorId: string | undefined,
  [before, after]: readonly [HeldCommentStatus | undefined, HeldCommentStatus | undefined],
): Promise<void> {
  const change = (status: HeldCommentStatus) =>
    Number(after === status) - Number(before === status);
  const counts = { approved: change("approved"), rejected: change("rejected") };
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
  if (!isWaiting(item) || item.comment.state !== "published") return { ...item, replied };
  const { later: _, failure: __, undone: ___, ...rest } = item;
  const { by, at } = replied;
  const decision = { kind: "approve", by, from: "card", at, dueAt: at } as const;
  return { ...rest, replied, decision, status: "approved", endedAt: at };
}
