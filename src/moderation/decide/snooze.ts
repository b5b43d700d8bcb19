import { newHandle } from "../../store/index.ts";
import type { Actor, HeldComment, ItemRef } from "../records/index.ts";
import type { Decided } from "../types.ts";
import { announceQueue, watchJob } from "../watch-jobs.ts";
import type { DecideDeps } from "./parts.ts";

/** @throws ServiceError `store_unavailable`. */
export async function snooze(
  { records, jobs }: DecideDeps,
  guildId: string,
  { ref, by, until }: { readonly ref: ItemRef; readonly by: Actor; readonly until: number },
): Promise<Decided> {
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

/** A snoozed comment whose time has come. Its card lies far above by then, so it gets a new one. */
export function comeBack(item: HeldComment, now: number): HeldComment {
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

/** At once: whoever asks has the card before them. */
export function bringBack(item: HeldComment): HeldComment {
  if (item.status !== "later") return item;
  const { later: _, ...rest } = item;
  return { ...rest, status: "open" };
}
