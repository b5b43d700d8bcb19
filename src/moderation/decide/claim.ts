import type { LimitError } from "../../errors.ts";
import type { DecisionKind, ItemStatus, QueueItem } from "../../store/index.ts";
import type { Decided, DecideRequest, ItemRef } from "../types.ts";
import type { DecideParts } from "./parts.ts";
import { undoMs } from "./times.ts";

/** What a decision may still be made about. A held comment waits at the service, and is approved or rejected later. */
const open: readonly ItemStatus[] = ["open", "later", "held"];
const taken: readonly ItemStatus[] = ["pending", "sending"];

/** What became of an item under a decision, as its status says it. */
export const endOf = {
  approve: "approved",
  reject: "rejected",
  ban: "rejected",
  hold: "held",
} as const satisfies Record<DecisionKind, ItemStatus>;

/** Makes one item this one's decision, unless somebody was first. @throws ServiceError `store_unavailable`. */
export async function claim(
  { items, clock, counts }: DecideParts,
  guildId: string,
  { ref, kind, by, from }: Omit<DecideRequest, "items"> & { readonly ref: ItemRef },
): Promise<Decided> {
  let error: LimitError | undefined;
  const changed = await items.change(guildId, ref, (item) => {
    error = undefined;
    if (!isOpenFor(item, { kind, from })) return item;
    error = counts.refusal({ guildId, commentId: item.comment.id, stored: item.decisions });
    if (error !== undefined) return item;
    const { later: _, failure: __, undone: ___, endedAt: ____, ...rest } = item;
    const at = clock.now();
    const was = rest.status === "approved" || rest.status === "held" ? { was: rest.status } : {};
    const decision = { kind, by, from, at, dueAt: at + undoMs, ...was };
    return { ...rest, status: "pending", decision };
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { item, isChanged } = changed;
  if (isChanged) return { ref, state: "pending", item };
  if (error !== undefined) return { ref, state: "often", item, error };
  return { ref, state: taken.includes(item.status) ? "taken" : "over", item };
}

/** An approved comment is reconsidered only by somebody who reads the record: an old card must not undo it. */
function isOpenFor(
  { status }: QueueItem,
  { kind, from }: Pick<DecideRequest, "kind" | "from">,
): boolean {
  if (status === "held" && kind === "hold") return false;
  if (status === "approved") return from === "log" && kind !== "approve";
  return open.includes(status);
}

/**
 * The same comment as it stands in another watch, where somebody has decided about it: a comment may be in several
 * queues, and is decided about once.
 */
export async function decidedElsewhere(
  { items, watches }: DecideParts,
  guildId: string,
  { ref, source }: { readonly ref: ItemRef; readonly source: string },
): Promise<QueueItem | undefined> {
  for (const watchId of await watches.watching(guildId, source)) {
    if (watchId === ref.watchId) continue;
    const item = await items.read(guildId, { watchId, itemId: ref.itemId });
    if (item !== undefined && taken.includes(item.status)) return item;
  }
  return undefined;
}

/** As it was before the decision. */
export function returned({ decision, ...item }: QueueItem, now: number): QueueItem {
  const was = decision?.was;
  return was === undefined ? { ...item, status: "open" } : { ...item, status: was, endedAt: now };
}

/** Takes a decision back that has not begun to leave. @throws ServiceError `store_unavailable`. */
export async function takeBack(
  { items, clock }: DecideParts,
  guildId: string,
  { ref, by }: { readonly ref: ItemRef } & Pick<DecideRequest, "by">,
): Promise<{ readonly item: QueueItem; readonly before: QueueItem } | undefined> {
  let before: QueueItem | undefined;
  const changed = await items.change(guildId, ref, (item) => {
    if (item.status !== "pending") return item;
    before = item;
    return { ...returned(item, clock.now()), undone: { by, at: clock.now() } };
  });
  if (changed === undefined || !changed.isChanged || before === undefined) return undefined;
  return { item: changed.item, before };
}
