import { newHandle } from "../../store/index.ts";
import type { Actor, HeldComment, ItemRef } from "../records/index.ts";
import type { DecisionResult } from "../types.ts";
import { announceQueue, watchJob } from "../watch-jobs.ts";
import type { DecideDeps } from "./deps.ts";

/** Puts a comment off until a given time. @throws ServiceError `store_unavailable`. */
export async function snooze(
  { records, jobs }: DecideDeps,
  guildId: string,
  { ref, by, until }: { readonly ref: ItemRef; readonly by: Actor; readonly until: number },
): Promise<DecisionResult> {
  const changed = await records.comments.change(guildId, ref, (item) => {
    if (item.status !== "open" && item.status !== "later") return item;
    const { failure: _, undone: __, ...rest } = item;
    return { ...rest, status: "later", later: { by, until } };
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { comment: item, isChanged } = changed;
  if (isChanged) {
    await jobs.put(watchJob(announceQueue, { guildId, watchId: ref.watchId }, until));
    return { ref, state: "pending", item };
  }
  const isTaken = item.status === "pending" || item.status === "sending";
  return { ref, state: isTaken ? "taken" : "over", item };
}

/** Brings a snoozed comment back when it is due. Its old card is far up in the channel by then, so it gets a new one. */
export function endSnooze(item: HeldComment, now: number): HeldComment {
  const { status, later, ...rest } = item;
  if (status !== "later" || (later?.until ?? 0) > now) return item;
  const { digestId: _, formerCard: __, ...shown } = rest;
  const former = item.digestId === undefined ? { formerCard: item.card } : {};
  return {
    ...shown,
    ...former,
    status: "open",
    card: { state: "due", handle: newHandle(), since: now },
  };
}

/** Brings it back at once, on its old card: whoever asks is looking at that card. */
export function endSnoozeNow(item: HeldComment): HeldComment {
  if (item.status !== "later") return item;
  const { later: _, ...rest } = item;
  return { ...rest, status: "open" };
}
