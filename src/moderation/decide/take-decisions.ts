import { type LimitError, ServiceError } from "../../errors.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type DecisionOrigin,
  type HeldComment,
  type HeldCommentStatus,
  type ItemRef,
  isKept,
  isUnsettled,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import type { CountedKind, DecideRequest, DecisionBatch, DecisionResult } from "../types.ts";
import { withDelay } from "./delay.ts";
import { foreseeDelays } from "./foresee-delay.ts";
import { scheduleSending } from "./send-queue.ts";

/** How long a decision can certainly be undone. */
export const undoWindowMs = 8_000;
/** Comments that are decided about in one transaction. */
const batchSize = 25;
/** Comments of a batch that are read at once. */
const pageSize = 50;

/** The status of a comment once a decision about it was carried out. */
export const settledStatuses = {
  approve: "approved",
  reject: "rejected",
  ban: "rejected",
  hold: "held",
} as const satisfies Record<DecisionKind, HeldCommentStatus>;

interface TakeRequest extends DecideRequest {
  /** What would keep decisions from being sent now, by linked channel. */
  readonly delays: ReadonlyMap<string, DecisionDelay> | undefined;
  /** Watches whose channel is not linked: only what needs nothing from YouTube can be decided there. */
  readonly unlinked: ReadonlySet<string>;
}

/**
 * Decides about those comments that nobody has decided about yet: the first decision counts. It is sent some seconds later, in
 * one call with others of its kind. @throws ServiceError `store_unavailable`.
 */
export function decide(
  room: ModerationRoom,
  guildId: string,
  request: DecideRequest,
): Promise<readonly DecisionResult[]> {
  const { items, from } = request;
  return room.database.servers.runFor(guildId, async () => {
    // What rules do is reported after it was tried.
    const delays = from === "rule" ? undefined : await foreseeDelays(room, guildId, items);
    const watches = await room.records.watches.readAll(guildId);
    const unlinked = new Set(watches.flatMap(({ id, isKeyOnly }) => (isKeyOnly ? [id] : [])));
    const decided: DecisionResult[] = [];
    for (let at = 0; at < items.length; at += batchSize) {
      const some = { ...request, items: items.slice(at, at + batchSize), delays, unlinked };
      try {
        decided.push(...(await takeAll(room, guildId, some)));
      } catch (error) {
        const isBegun = decided.some(({ state }) => state === "pending");
        if (!isBegun || !(error instanceof ServiceError)) throw error;
        // Some decisions were taken, so the error must not say that nothing happened.
        const { message, code, facts } = error;
        throw new ServiceError(message, { code, facts, outcome: "part", cause: error });
      }
    }
    return decided;
  });
}

function takeAll(room: ModerationRoom, guildId: string, { items, ...request }: TakeRequest) {
  // Always in the same order, so that two people who decide about the same comments can't deadlock.
  const order = [...items.entries()].sort(([, one], [, other]) =>
    one.itemId < other.itemId ? -1 : 1,
  );
  return room.database.transaction(async () => {
    const taken: DecisionResult[] = [];
    for (const [place, ref] of order) taken[place] = await take(room, guildId, { ...request, ref });
    const due = taken.flatMap(({ state, item }) =>
      state === "pending" && item?.decision !== undefined
        ? [{ source: item.source, dueAt: item.decision.dueAt }]
        : [],
    );
    await scheduleSending(room, guildId, due);
    return taken;
  });
}

/** Decides about one comment. It may be in several queues, but is decided about once. */
async function take(
  { records, database, counts }: ModerationRoom,
  guildId: string,
  request: Omit<TakeRequest, "items"> & { readonly ref: ItemRef },
): Promise<DecisionResult> {
  const { ref, kind, by, from, dueAt, delays, unlinked } = request;
  const everywhere = await records.comments.lockInAllWatches(guildId, ref.itemId);
  const own = everywhere.find(({ watchId }) => watchId === ref.watchId);
  if (own === undefined) return { ref, state: "absent" };
  const elsewhere = everywhere.find(
    (one) => one !== own && one.source === own.source && isUnsettled(one),
  );
  if (elsewhere !== undefined) return { ref, state: "taken", item: elsewhere };
  if (unlinked.has(ref.watchId)) {
    const isKeeping = kind === "approve" && own.comment.state === "published";
    if (!isKeeping && isOpenFor(own, { kind, from })) return { ref, state: "unlinked", item: own };
  }
  let error: LimitError | undefined;
  const changed = await records.comments.change(guildId, ref, (item) => {
    error = undefined;
    if (!isOpenFor(item, { kind, from })) return item;
    error = counts.findError({ guildId, commentId: item.comment.id, stored: item.decisions });
    if (error !== undefined) return item;
    const { later: _, failure: __, undone: ___, endedAt: ____, ...rest } = item;
    const at = database.now();
    const was = rest.status === "approved" || rest.status === "held" ? rest.status : undefined;
    const decision = { kind, by, from, at, dueAt: dueAt ?? at + undoWindowMs, was };
    const pending: HeldComment = { ...rest, status: "pending", decision };
    const delay = delays?.get(item.source);
    return delay === undefined || isKept(pending) ? pending : withDelay(pending, delay);
  });
  if (changed === undefined) return { ref, state: "absent" };
  const { comment: item, isChanged } = changed;
  if (isChanged) return { ref, state: "pending", item };
  if (error !== undefined) return { ref, state: "often", item, error };
  return { ref, state: isUnsettled(item) ? "taken" : "over", item };
}

/** A held comment waits at YouTube and can be approved or rejected later. An old card must not undo an approval: only the log does. */
function isOpenFor(
  { status }: HeldComment,
  { kind, from }: Pick<DecideRequest, "kind" | "from">,
): boolean {
  if (status === "held") return kind !== "hold";
  if (status === "approved") return from === "log" && kind !== "approve";
  return status === "open" || status === "later";
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
  { records, database }: ModerationRoom,
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
  const changed = await records.comments.change(guildId, toItemRef(decided), (item) => {
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

/**
 * Has a batch sent soon that was to be sent later. Returns its new time and how many decisions of each kind it has now:
 * some may have been undone. @throws ServiceError `store_unavailable`.
 */
export async function hastenBatch(
  room: ModerationRoom,
  guildId: string,
  batch: DecisionBatch,
): Promise<{ readonly dueAt: number; readonly counts: ReadonlyMap<CountedKind, number> }> {
  const { database, records } = room;
  const dueAt = database.now() + undoWindowMs;
  const counts = new Map<CountedKind, number>();
  const hasten = (stored: HeldComment): HeldComment =>
    stored.decision !== undefined && isIn(batch, stored)
      ? { ...stored, decision: { ...stored.decision, dueAt } }
      : stored;
  for await (const items of readBatch(room, guildId, batch)) {
    await database.transaction(async () => {
      const changes = items.map((item) => ({ ref: toItemRef(item), make: hasten }));
      const changed = await records.comments.changeAll(guildId, changes);
      for (const item of changed) {
        const kind = isKept(item) ? "keep" : item.decision?.kind;
        if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      const due = changed.map(({ source }) => ({ source, dueAt }));
      await scheduleSending(room, guildId, due);
    });
  }
  return { dueAt, counts };
}

/** A batch's comments, page by page. Each page has to be changed, so that the next one does not bring it again. */
export async function* readBatch(
  { records }: ModerationRoom,
  guildId: string,
  batch: DecisionBatch,
): AsyncGenerator<readonly HeldComment[]> {
  const watches = await records.watches.readAllWithEnded(guildId);
  for (const source of new Set(watches.map((watch) => watch.source))) {
    const seen = new Set<string>();
    for (;;) {
      const wanted = { source, dueAt: batch.dueAt, limit: pageSize };
      const page = await records.comments.readDueAt(guildId, wanted);
      const items = page.filter((item) => isIn(batch, item) && !seen.has(item.id));
      if (items.length === 0) break;
      for (const { id } of items) seen.add(id);
      yield items;
    }
  }
}

function isIn({ userId, dueAt }: DecisionBatch, { status, decision }: HeldComment): boolean {
  if (status !== "pending" || decision?.dueAt !== dueAt) return false;
  return "userId" in decision.by && decision.by.userId === userId;
}
