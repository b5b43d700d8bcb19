import { setImmediate as nextTurn } from "node:timers/promises";
import { newHandle } from "../../store/index.ts";
import type { PartOptions, QueueAt } from "../parts.ts";
import type { HeldComment } from "../records/index.ts";
import { announceQueue, type WatchRef, watchJob, whileWatched } from "../watch-jobs.ts";
import type { Candidate } from "./to-comment.ts";

export type TakeInDeps = Pick<PartOptions, "database" | "jobs" | "records">;

/** Comments of one transaction: between two of them other work goes on. */
const batchSize = 25;
/** What comes in one poll is announced together, or a little later where the process ends in between. */
const gatherMs = 10_000;
/** Decided on the platform or gone, and there again later than this: it was no delay of the service's lists. */
const lateMs = 2 * 60_000;
/** So often a comment that is told unchanged is noted as told. */
export const toldEveryMs = 12 * 3_600_000;

/**
 * Writes what is new: comments, how often their authors were seen, and the job that announces them. Answers how many were
 * new; undefined where the watch was stopped meanwhile. @throws ServiceError `store_unavailable`; the signal's reason.
 */
export async function takeIn(
  deps: TakeInDeps,
  { guildId, watch, signal }: QueueAt & { readonly signal: AbortSignal },
  fresh: readonly HeldComment[],
): Promise<number | undefined> {
  let count = 0;
  for (let from = 0; from < fresh.length; from += batchSize) {
    signal.throwIfAborted();
    const isLast = from + batchSize >= fresh.length;
    const batch = fresh.slice(from, from + batchSize);
    const added = await whileWatched(deps, guildId, watch, () =>
      addAll(deps, { guildId, watchId: watch.id, isLast }, batch),
    );
    if (added === undefined) return undefined;
    count += added;
    await nextTurn();
  }
  return count;
}

async function addAll(
  { database, jobs, records }: TakeInDeps,
  { isLast, ...ref }: WatchRef & { readonly isLast: boolean },
  batch: readonly HeldComment[],
): Promise<number> {
  const added = await records.comments.addAll(ref.guildId, batch);
  const seen = new Map<string, number>();
  for (const { id, comment } of batch) {
    const { authorId } = comment;
    if (authorId !== undefined && added.has(id)) seen.set(authorId, (seen.get(authorId) ?? 0) + 1);
  }
  await records.authors.addSeen(ref.guildId, seen);
  const dueAt = database.now() + (isLast ? 0 : gatherMs);
  await jobs.put(watchJob(announceQueue, ref, dueAt));
  return added.size;
}

/** How a known comment is changed by what the service tells now; undefined where nothing about it changed. */
export function refreshed(
  held: HeldComment,
  candidate: Candidate,
  now: number,
): { readonly comment: HeldComment; readonly isShown: boolean } | undefined {
  const { comment } = candidate;
  const isHeld = comment.state !== "published";
  // What was held and is published now has left the list of held ones, and that is looked at there.
  if (!isHeld && held.comment.state !== "published") return undefined;
  const hasChanged = !isSame(held, candidate);
  const isBack = hasReturned(held, candidate, now);
  if (!hasChanged && !isBack && now - held.readAt < toldEveryMs) return undefined;
  const parent = candidate.parent ?? held.parent;
  const told = { ...held, comment, ...(parent && { parent }), readAt: now };
  return { comment: isBack ? reopened(told, now) : told, isShown: hasChanged || isBack };
}

/** It waits for people again, on a card of its own that takes the place of the old one. */
function reopened(held: HeldComment, now: number): HeldComment {
  const { endedAt: _, decision: __, digestId: ___, ...rest } = held;
  const { card } = held;
  return {
    ...rest,
    status: "open",
    card: { state: "due", handle: newHandle(), since: now },
    ...(card.state === "posted" && { formerCard: card }),
  };
}

function isSame({ comment: was }: HeldComment, { comment: is }: Candidate): boolean {
  return was.text === is.text && was.state === is.state && was.imageUrl === is.imageUrl;
}

/** It waits again: somebody held it on the platform, or it was changed after it was approved. */
function hasReturned({ status, endedAt = 0 }: HeldComment, { comment }: Candidate, now: number) {
  if (comment.state === "published") return false;
  if (status === "elsewhere" || status === "gone") return now - endedAt > lateMs;
  return status === "approved" && comment.updatedAt > endedAt;
}
