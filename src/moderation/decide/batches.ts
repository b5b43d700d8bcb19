import { type DecisionKind, type HeldComment, itemRefOf } from "../records/index.ts";
import type { DecisionBatch } from "../types.ts";
import { undoWindowMs } from "./claim.ts";
import type { DecideDeps } from "./deps.ts";
import { scheduleSending } from "./send-queue.ts";

/** Comments that are read at once. */
const pageSize = 50;

/**
 * Has a batch sent soon that was to be sent later. Returns its new time and how many decisions of each kind it has now:
 * some may have been undone. @throws ServiceError `store_unavailable`.
 */
export async function hastenBatch(
  deps: DecideDeps,
  guildId: string,
  batch: DecisionBatch,
): Promise<{ readonly dueAt: number; readonly counts: ReadonlyMap<DecisionKind, number> }> {
  const { database, records } = deps;
  const dueAt = database.now() + undoWindowMs;
  const counts = new Map<DecisionKind, number>();
  for await (const items of batchPages(deps, guildId, batch)) {
    await database.transaction(async () => {
      const changed = await records.comments.changeAll(
        guildId,
        items.map((item) => ({
          ref: itemRefOf(item),
          make: (stored) =>
            stored.decision !== undefined && isOf(batch, stored)
              ? { ...stored, decision: { ...stored.decision, dueAt } }
              : stored,
        })),
      );
      for (const { decision } of changed) {
        if (decision !== undefined) counts.set(decision.kind, (counts.get(decision.kind) ?? 0) + 1);
      }
      await scheduleSending(
        deps,
        guildId,
        changed.map(({ source }) => ({ source, dueAt })),
      );
    });
  }
  return { dueAt, counts };
}

/** A batch's comments, page by page. Each page has to be changed, so that the next one does not bring it again. */
export async function* batchPages(
  { records }: DecideDeps,
  guildId: string,
  batch: DecisionBatch,
): AsyncGenerator<readonly HeldComment[]> {
  const watches = await records.watches.readAllWithEnded(guildId);
  for (const source of new Set(watches.map((watch) => watch.source))) {
    const seen = new Set<string>();
    for (;;) {
      const page = await records.comments.readDueAt(guildId, {
        source,
        dueAt: batch.dueAt,
        limit: pageSize,
      });
      const items = page.filter((item) => isOf(batch, item) && !seen.has(item.id));
      if (items.length === 0) break;
      for (const { id } of items) seen.add(id);
      yield items;
    }
  }
}

function isOf({ userId, dueAt }: DecisionBatch, { status, decision }: HeldComment): boolean {
  if (status !== "pending" || decision?.dueAt !== dueAt) return false;
  return "userId" in decision.by && decision.by.userId === userId;
}
