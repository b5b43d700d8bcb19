import { type ModerationRows, newHandle, type QueueItem } from "../../store/index.ts";
import type { Candidate } from "./to-item.ts";

/** Decided on the platform or gone, and there again later than this: it was no delay of the service's lists. */
const lateMs = 2 * 60_000;
/** So often an item that is told unchanged is noted as told. */
export const toldEveryMs = 12 * 3_600_000;

/** Writes what is new, and what has changed of what is known. Answers the items as they are then. */
export async function takeIn(
  { items }: Pick<ModerationRows, "items">,
  guildId: string,
  fresh: QueueItem,
): Promise<{ readonly item: QueueItem; readonly isNew: boolean }> {
  let isNew = false;
  const item = await items.update(guildId, `${fresh.watchId}:${fresh.id}`, (stored) => {
    isNew = stored === undefined;
    return stored ?? fresh;
  });
  return { item, isNew };
}

/** A known item as the service tells it now; the same where nothing about it changed. */
export function refreshed(item: QueueItem, candidate: Candidate, now: number): QueueItem {
  const { comment } = candidate;
  const isHeld = comment.state !== "published";
  // What was held and is published now has left the list of held ones, and that is looked at there.
  if (!isHeld && item.comment.state !== "published") return item;
  const hasChanged = !isSame(item, candidate);
  const isBack = hasReturned(item, candidate, now);
  if (!hasChanged && !isBack && now - item.readAt < toldEveryMs) return item;
  const parent = candidate.parent ?? item.parent;
  const told = { ...item, comment, ...(parent && { parent }), readAt: now };
  if (!hasChanged && !isBack) return told;
  return { ...(isBack ? reopened(told, now) : told), revision: item.revision + 1 };
}

/** It waits for people again, on a card of its own that takes the place of the old one. */
function reopened(item: QueueItem, now: number): QueueItem {
  const { endedAt: _, decision: __, digestId: ___, ...rest } = item;
  const { card } = item;
  return {
    ...rest,
    status: "open",
    card: { state: "due", handle: newHandle(), since: now },
    ...(card.state === "posted" && { formerCard: card }),
  };
}

function isSame({ comment: was }: QueueItem, { comment: is }: Candidate): boolean {
  return was.text === is.text && was.state === is.state && was.imageUrl === is.imageUrl;
}

/** It waits again: somebody held it on the platform, or it was changed after it was approved. */
function hasReturned({ status, endedAt = 0 }: QueueItem, { comment }: Candidate, now: number) {
  if (comment.state === "published") return false;
  if (status === "elsewhere" || status === "gone") return now - endedAt > lateMs;
  return status === "approved" && comment.updatedAt > endedAt;
}
