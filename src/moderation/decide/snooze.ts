import { newHandle } from "../../store/index.ts";
import {
  type Actor,
  type HeldComment,
  type ItemRef,
  isUnsettled,
  isWaiting,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { DecisionResult } from "../types.ts";
import { announceQueue, watchJob } from "../watch-jobs.ts";

/** Puts a comment off until a given time. @throws ServiceError `store_unavailable`. */
export async function snooze(
  { records, jobs }: ModerationRoom,
  guildId: string,
  { ref, by, until }: { readonly ref: ItemRef; readonly by: Actor; readonly until: number },
): Promise<DecisionResult> {
  const changed = await records.comments.change(guildId, ref, (item) => {
    if (!isWaiting(item)) return item;
    const { failure: _, undone: __, ...rest } = item;
    return { ...rest, status: "later", later: { by, until } };
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { comment: item, isChanged } = changed;
  if (!isChanged) return { ref, state: isUnsettled(item) ? "taken" : "over", item };
  await jobs.put(watchJob(announceQueue, { guildId, watchId: ref.watchId }, until));
  return { ref, state: "pending", item };
}

/** Brings a snoozed comment back when it is due. Its old card is far up in the channel by then, so it gets a new one. */
export function endSnooze(item: HeldComment, now: number): HeldComment {
  const { status, later, digestId, formerCard: _, ...rest } = item;
  if (status !== "later" || (later?.until ?? 0) > now) return item;
  return {
    ...rest,
    formerCard: digestId === undefined ? item.card : undefined,
    status: "open",
    card: { state: "due", handle: newHandle(), since: now },
  };
}
