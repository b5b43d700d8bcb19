import type { LimitError } from "../../errors.ts";
import type {
  CommentStatus,
  DecidedFrom,
  DecisionKind,
  HeldComment,
  ItemRef,
} from "../records/index.ts";
import type { Decided, DecideRequest } from "../types.ts";
import type { DecideDeps } from "./parts.ts";
import { sendAt } from "./send-queue.ts";

/** How long a decision can be taken back for certain. */
export const undoMs = 8_000;

/** What a decision may still be made about. A held comment waits at the service, and is approved or rejected later. */
const open: readonly CommentStatus[] = ["open", "later", "held"];
const taken: readonly CommentStatus[] = ["pending", "sending"];

/** What became of a comment under a decision, as its status says it. */
export const endOf = {
  approve: "approved",
  reject: "rejected",
  ban: "rejected",
  hold: "held",
} as const satisfies Record<DecisionKind, CommentStatus>;

/** Makes comments this one's decision, those of them that nobody decided about before. @throws ServiceError `store_unavailable`. */
export async function claimAll(
  deps: DecideDeps,
  guildId: string,
  { items, ...request }: DecideRequest,
): Promise<readonly Decided[]> {
  // Always in one order, so that two people who decide about the same ones do not wait for each other.
  const order = [...items.entries()].sort(([, one], [, other]) =>
    one.itemId < other.itemId ? -1 : 1,
  );
  return deps.database.transaction(async () => {
    const claimed: Decided[] = [];
    for (const [place, ref] of order) {
      claimed[place] = await claim(deps, guildId, { ...request, ref });
    }
    await sendAt(deps, guildId, claimed.flatMap(dueOf));
    return claimed;
  });
}

function dueOf({ state, item }: Decided) {
  if (state !== "pending" || item?.decision === undefined) return [];
  return [{ source: item.source, dueAt: item.decision.dueAt }];
}

/** A comment may be in several queues, and is decided about once. */
async function claim(
  { records, database, counts }: DecideDeps,
  guildId: string,
  { ref, kind, by, from }: Omit<DecideRequest, "items"> & { readonly ref: ItemRef },
): Promise<Decided> {
  const everywhere = await records.comments.everywhere(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  if (own === undefined) return { ref, state: "absent" };
  const elsewhere = everywhere.find(
    (one) => one !== own && one.source === own.source && taken.includes(one.status),
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
    const decision = { kind, by, from, at, dueAt: at + undoMs, ...was };
    return { ...rest, status: "pending", decision };
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { comment: item, isChanged } = changed;
  if (isChanged) return { ref, state: "pending", item };
  if (error !== undefined) return { ref, state: "often", item, error };
  return { ref, state: taken.includes(item.status) ? "taken" : "over", item };
}

/** An approved comment is reconsidered only by somebody who reads the record: an old card must not undo it. */
function isOpenFor(
  { status }: HeldComment,
  { kind, from }: Pick<DecideRequest, "kind" | "from">,
): boolean {
  if (status === "held" && kind === "hold") return false;
  if (status === "approved") return from === "log" && kind !== "approve";
  return open.includes(status);
}

/** As it was before the decision. */
export function returned({ decision, ...item }: HeldComment, now: number): HeldComment {
  const was = decision?.was;
  return was === undefined ? { ...item, status: "open" } : { ...item, status: was, endedAt: now };
}

/** Takes a decision back that has not begun to leave, and answers where it was made. @throws ServiceError `store_unavailable`. */
export async function takeBack(
  { records, database }: DecideDeps,
  guildId: string,
  { ref, by }: { readonly ref: ItemRef } & Pick<DecideRequest, "by">,
): Promise<{ readonly item: HeldComment; readonly from: DecidedFrom } | undefined> {
  let before: HeldComment | undefined;
  const changed = await records.comments.change(guildId, ref, (item) => {
    before = undefined;
    if (item.status !== "pending") return item;
    before = item;
    const at = database.now();
    return { ...returned(item, at), undone: { by, at } };
  });
  if (changed === undefined || before === undefined) return undefined;
  return { item: changed.comment, from: before.decision?.from ?? "card" };
}
