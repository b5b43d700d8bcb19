import { setImmediate as nextTurn } from "node:timers/promises";
import { newHandle } from "../../store/index.ts";
import type { ListedComment } from "../listed-comment.ts";
import type { HeldComment } from "../records/index.ts";
import type { ModerationRoom, ServerWatch } from "../room.ts";
import { announceQueue, ifStillWatched, type WatchRef, watchJob } from "../watch-jobs.ts";

/** Comments per transaction; other work runs between two transactions. */
const batchSize = 25;
/** Comments of one poll are announced together. If the process dies in between, the job starts after this time. */
const gatherMs = 10_000;
/** A comment that was settled elsewhere and is listed again after this long was really held again: the lists are not that slow. */
const listLagMs = 2 * 60_000;
/** How often it is noted that an unchanged comment was read again. */
export const noteReadEveryMs = 12 * 3_600_000;

/**
 * Stores new comments, counts their authors, and starts the job that announces them. Returns how many were new; undefined if
 * the watch was removed meanwhile. @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function storeNewComments(
  room: ModerationRoom,
  { guildId, watch, signal }: ServerWatch & { readonly signal: AbortSignal },
  fresh: readonly HeldComment[],
): Promise<number | undefined> {
  let count = 0;
  for (let from = 0; from < fresh.length; from += batchSize) {
    signal.throwIfAborted();
    const isLast = from + batchSize >= fresh.length;
    const batch = fresh.slice(from, from + batchSize);
    const added = await ifStillWatched(room, guildId, watch, () =>
      addBatch(room, { guildId, watchId: watch.id, isLast }, batch),
    );
    if (added === undefined) return undefined;
    count += added;
    await nextTurn();
  }
  return count;
}

async function addBatch(
  { database, jobs, records }: ModerationRoom,
  { isLast, ...ref }: WatchRef & { readonly isLast: boolean },
  batch: readonly HeldComment[],
): Promise<number> {
  const added = await records.comments.addAll(ref.guildId, batch);
  const everywhere = await records.comments.readInAllWatches(ref.guildId, ...added);
  const elsewhere = new Set(
    everywhere.filter(({ watchId }) => watchId !== ref.watchId).map(({ id }) => id),
  );
  const seen = new Map<string, number>();
  for (const { id, comment } of batch) {
    const { authorId } = comment;
    const isNew = added.has(id) && !elsewhere.has(id);
    if (authorId !== undefined && isNew) seen.set(authorId, (seen.get(authorId) ?? 0) + 1);
  }
  await records.authors.addSeen(ref.guildId, seen);
  const dueAt = database.now() + (isLast ? 0 : gatherMs);
  await jobs.put(watchJob(announceQueue, ref, dueAt));
  return added.size;
}

/** A stored comment with what was just read of it; undefined if nothing changed. */
export function refreshComment(
  held: HeldComment,
  candidate: ListedComment,
  now: number,
): { readonly comment: HeldComment; readonly isShown: boolean } | undefined {
  if (held.status === "erased") return undefined;
  const { comment: was } = held;
  const { comment } = candidate;
  // A held comment that is published now has left the list of held ones; `follow-unlisted.ts` deals with it.
  if (comment.state === "published" && was.state !== "published") return undefined;
  const hasChanged =
    was.text !== comment.text || was.state !== comment.state || was.imageUrl !== comment.imageUrl;
  const isBack = hasReturned(held, candidate, now);
  if (!hasChanged && !isBack && now - held.readAt < noteReadEveryMs) return undefined;
  const read = { ...held, comment, parent: candidate.parent ?? held.parent, readAt: now };
  return { comment: isBack ? reopenComment(read, now) : read, isShown: hasChanged || isBack };
}

/** The comment waits for people again, with a new card that replaces the old one. */
function reopenComment(held: HeldComment, now: number): HeldComment {
  const { endedAt: _, decision: __, digestId: ___, handled: ____, ...rest } = held;
  const { card } = held;
  return {
    ...rest,
    status: "open",
    card: { state: "due", handle: newHandle(), since: now },
    formerCard: card.state === "posted" ? card : held.formerCard,
  };
}

/** Whether it waits again: somebody held it on YouTube, or it was edited after it was approved. */
function hasReturned(
  { status, endedAt = 0 }: HeldComment,
  { comment }: ListedComment,
  now: number,
): boolean {
  if (comment.state === "published") return false;
  if (status === "elsewhere" || status === "gone") return now - endedAt > listLagMs;
  return status === "approved" && comment.updatedAt > endedAt;
}
