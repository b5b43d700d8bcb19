import { createQueue } from "../queue.ts";
import {
  type CommentCursor,
  type HeldComment,
  isWaiting,
  type NamedPerson,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";

const pageSize = 100;

/** What a list has left on comments. */
export interface ListEffects {
  /** Comments that wait with its suggestion on their cards. */
  readonly marked: number;
  /** Its decisions that have not been sent yet. */
  readonly pending: number;
  /** Comments that it holds at YouTube; they stay held until somebody releases them. */
  readonly held: number;
}

export async function countEffects(
  room: ModerationRoom,
  guildId: string,
  ruleId: string,
): Promise<ListEffects> {
  const count = { marked: 0, pending: 0, held: 0 };
  for await (const item of readTouched(room, guildId, ruleId)) {
    if (isMarked(item, ruleId)) count.marked += 1;
    if (isDecidedBy(item, ruleId) && item.status === "pending") count.pending += 1;
    if (isDecidedBy(item, ruleId) && item.status === "held") count.held += 1;
  }
  return count;
}

/** Takes suggestions off the cards, and undoes what is not sent yet. It may run again, and then finds nothing left. */
export async function takeEffectsBack(
  room: ModerationRoom,
  guildId: string,
  rule: { readonly ruleId: string; readonly ruleName: string },
  signal: AbortSignal,
): Promise<void> {
  const { ruleId } = rule;
  const { records } = room;
  const queue = createQueue(room, guildId);
  for await (const item of readTouched(room, guildId, ruleId)) {
    signal.throwIfAborted();
    const ref = toItemRef(item);
    if (isMarked(item, ruleId)) {
      await records.comments.change(guildId, ref, (stored) => {
        if (!isMarked(stored, ruleId)) return stored;
        const { advice: _, ...rest } = stored;
        return rest;
      });
    }
    if (isDecidedBy(item, ruleId) && item.status === "pending") {
      await queue.undo(ref, rule);
    }
  }
}

/** Publishes what it holds, at most `limit` comments. Returns how many will be. */
export async function releaseHeld(
  room: ModerationRoom,
  guildId: string,
  {
    ruleId,
    by,
    limit,
  }: { readonly ruleId: string; readonly by: NamedPerson; readonly limit: number },
): Promise<number> {
  const items = [];
  for await (const item of readTouched(room, guildId, ruleId)) {
    if (isDecidedBy(item, ruleId) && item.status === "held") items.push(toItemRef(item));
    if (items.length >= limit) break;
  }
  const { decide } = createQueue(room, guildId);
  const decided = await decide({ items, kind: "approve", by, from: "log" });
  return decided.filter(({ state }) => state === "pending").length;
}

function isMarked(item: HeldComment, ruleId: string): boolean {
  return item.advice?.ruleId === ruleId && isWaiting(item);
}

function isDecidedBy({ decision }: HeldComment, ruleId: string): boolean {
  return decision !== undefined && "ruleId" in decision.by && decision.by.ruleId === ruleId;
}

/** Statuses in which a list's effects are not settled for good, those first that others may follow. */
const statuses = ["pending", "open", "later", "held"] as const;

/** Page by page, so that a long queue holds nobody up. */
async function* readTouched(
  { records }: ModerationRoom,
  guildId: string,
  ruleId: string,
): AsyncGenerator<HeldComment> {
  for (const { id: watchId } of await records.watches.readAllWithEnded(guildId)) {
    for (const status of statuses) {
      for (let after: CommentCursor | undefined; ; ) {
        const page = { watchId, status, after, limit: pageSize };
        const items = await records.comments.readInStatus(guildId, page);
        yield* items.filter((item) => isMarked(item, ruleId) || isDecidedBy(item, ruleId));
        const last = items.at(-1);
        if (last === undefined || items.length < pageSize) break;
        after = { publishedAt: last.comment.publishedAt, id: last.id };
      }
    }
  }
}
