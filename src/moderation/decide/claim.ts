import type { LimitError } from "../../errors.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type DecisionOrigin,
  type HeldComment,
  type HeldCommentStatus,
  type ItemRef,
  isKept,
  itemRefOf,
} from "../records/index.ts";
import type { DecideRequest, DecisionResult } from "../types.ts";
import { withDelay } from "./delay.ts";
import type { DecideDeps } from "./deps.ts";
import { scheduleSending } from "./send-queue.ts";

/** How long a decision can certainly be undone. */
export const undoWindowMs = 8_000;

/** Statuses in which a comment can be decided about. A held comment waits at YouTube and can be approved or rejected later. */
const openStatuses: readonly HeldCommentStatus[] = ["open", "later", "held"];
const takenStatuses: readonly HeldCommentStatus[] = ["pending", "sending"];

/** The status of a comment once a decision about it was carried out. */
export const settledStatusOf = {
  approve: "approved",
  reject: "rejected",
  ban: "rejected",
  hold: "held",
} as const satisfies Record<DecisionKind, HeldCommentStatus>;

interface ClaimCommentsRequest extends DecideRequest {
  /** What would keep decisions from being sent now, by linked channel. */
  readonly delays?: ReadonlyMap<string, DecisionDelay> | undefined;
}

/** Claims those comments that nobody has decided about yet. @throws ServiceError `store_unavailable`. */
export async function claimComments(
  deps: DecideDeps,
  guildId: string,
  { items, ...request }: ClaimCommentsRequest,
): Promise<readonly DecisionResult[]> {
  // Always in the same order, so that two people who decide about the same comments can't deadlock.
  const order = [...items.entries()].sort(([, one], [, other]) =>
    one.itemId < other.itemId ? -1 : 1,
  );
  return deps.database.transaction(async () => {
    const claimed: DecisionResult[] = [];
    for (const [place, ref] of order) {
      claimed[place] = await claim(deps, guildId, { ...request, ref });
    }
    await scheduleSending(deps, guildId, claimed.flatMap(dueOf));
    return claimed;
  });
}

function dueOf({ state, item }: DecisionResult) {
  if (state !== "pending" || item?.decision === undefined) return [];
  return [{ source: item.source, dueAt: item.decision.dueAt }];
}

/** Claims one comment. It may be in several queues, but is decided about once. */
async function claim(
  { records, database, counts }: DecideDeps,
  guildId: string,
  {
    ref,
    kind,
    by,
    from,
    dueAt,
    delays,
  }: Omit<ClaimCommentsRequest, "items"> & { readonly ref: ItemRef },
): Promise<DecisionResult> {
  const everywhere = await records.comments.lockInAllWatches(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  if (own === undefined) return { ref, state: "absent" };
  const elsewhere = everywhere.find(
    (one) => one !== own && one.source === own.source && takenStatuses.includes(one.status),
  );
  if (elsewhere !== undefined) return { ref, state: "taken", item: elsewhere };
  let error: LimitError | undefined;
  const changed = await records.comments.change(guildId, ref, (item) => {
    error = undefined;
    if (!isOpenFor(item, { kind, from })) return item;
    error = counts.refusal({ guildId, commentId: item.comment.id, stored: item.decisions });
    if (error !== undefined) return item;
    const { later: _, failure: __, undone: ___, endedAt: ____, ...rest } = item;
    const at = database.now();
    const was = rest.status === "approved" || rest.status === "held" ? { was: rest.status } : {};
    const decision = { kind, by, from, at, dueAt: dueAt ?? at + undoWindowMs, ...was };
    const pending: HeldComment = { ...rest, status: "pending", decision };
    const delay = delays?.get(item.source);
    return delay === undefined || isKept(pending) ? pending : withDelay(pending, delay);
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { comment: item, isChanged } = changed;
  if (isChanged) return { ref, state: "pending", item };
  if (error !== undefined) return { ref, state: "often", item, error };
  return { ref, state: takenStatuses.includes(item.status) ? "taken" : "over", item };
}

/** An approved comment can be decided about again only from the audit log: an old card must not undo the approval. */
function isOpenFor(
  { status }: HeldComment,
  { kind, from }: Pick<DecideRequest, "kind" | "from">,
): boolean {
  if (status === "held" && kind === "hold") return false;
  if (status === "approved") return from === "log" && kind !== "approve";
  return openStatuses.includes(status);
}

/** The comment as it was before the decision. */
export function restoreStatus({ decision, ...item }: HeldComment, now: number): HeldComment {
  const was = decision?.was;
  return was === undefined ? { ...item, status: "open" } : { ...item, status: was, endedAt: now };
}

/**
 * Undoes a decision that is not being sent yet, whichever watch of the linked channel it was made in; returns where. Part of
 * a transaction. @throws ServiceError `store_unavailable`.
 */
export async function undoDecision(
  { records, database }: DecideDeps,
  guildId: string,
  { ref, by }: { readonly ref: ItemRef } & Pick<DecideRequest, "by">,
): Promise<{ readonly item: HeldComment; readonly from: DecisionOrigin } | undefined> {
  const everywhere = await records.comments.lockInAllWatches(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  const decided = everywhere
    .filter(({ source, status }) => source === own?.source && status === "pending")
    .toSorted((one, other) => Number(other === own) - Number(one === own))[0];
  if (own === undefined || decided === undefined) return undefined;
  let before: HeldComment | undefined;
  const changed = await records.comments.change(guildId, itemRefOf(decided), (item) => {
    before = undefined;
    if (item.status !== "pending") return item;
    before = item;
    const at = database.now();
    return { ...restoreStatus(item, at), undone: { by, at } };
  });
  if (changed === undefined || before === undefined) return undefined;
  const item = decided === own ? changed.comment : await records.comments.read(guildId, ref);
  return { item: item ?? changed.comment, from: before.decision?.from ?? "card" };
}
