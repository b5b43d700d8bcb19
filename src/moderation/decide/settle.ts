import { LimitError } from "../../errors.ts";
import type { AuditAct, DecisionKind, ItemDecision, QueueItem } from "../../store/index.ts";
import { aboutComment, aboutDecision } from "../audit/audit-log.ts";
import { refOf } from "../items.ts";
import { endOf, returned } from "./claim.ts";
import type { Outcome } from "./outcome.ts";
import type { DecideParts, LineAt } from "./parts.ts";

/** What it is called on record. */
export const actOf = {
  approve: "approved",
  reject: "rejected",
  ban: "banned",
  hold: "held",
} as const satisfies Record<DecisionKind, AuditAct>;

/**
 * Writes down what came of a decision: on record first, under an id that the same end has again after a crash, and then
 * in the item, which is what tells that nothing is left to do. @throws ServiceError `store_unavailable`.
 */
export async function settle(
  parts: DecideParts,
  at: LineAt,
  item: QueueItem,
  outcome: Outcome,
): Promise<void> {
  const { audit, items, announcer, clock } = parts;
  const { decision } = item;
  if (decision === undefined) return;
  await audit.write(at.guildId, {
    ...aboutDecision(item),
    ...aboutComment(at.source, item.comment),
    ...(outcome.state === "done"
      ? { act: actOf[decision.kind], answer: "done" }
      : { act: "failed", answer: outcome.error.code }),
  });
  const changed = await items.change(at.guildId, refOf(item), (stored) =>
    isUnderWay(stored, decision) ? ended(stored, outcome, clock.now()) : stored,
  );
  if (!changed?.isChanged) return;
  announcer.changed(at.guildId, refOf(item));
  if (outcome.state === "done") await spread(parts, at, changed.item);
}

function isUnderWay({ status, decision }: QueueItem, of: ItemDecision): boolean {
  const isOpen = status === "pending" || status === "sending";
  return isOpen && decision?.at === of.at && decision.kind === of.kind;
}

function ended(item: QueueItem, outcome: Outcome, now: number): QueueItem {
  const { decision } = item;
  if (decision === undefined) return item;
  if (outcome.state === "done") return { ...item, status: endOf[decision.kind], endedAt: now };
  const { error } = outcome;
  const until = error instanceof LimitError ? error.retryAt?.getTime() : undefined;
  const { kind } = decision;
  const failure = { code: error.code, kind, at: now, ...(until !== undefined && { until }) };
  if (outcome.state === "back") return { ...returned(item, now), failure };
  const { decision: _, ...rest } = item;
  return { ...rest, status: outcome.state, endedAt: now, failure };
}

/** Counts it for the author, and lets other queues that hold the same comment follow. A failure of that is logged. */
export async function spread(
  { authors, announcer, items, watches, log, clock }: DecideParts,
  { guildId, source }: LineAt,
  item: QueueItem,
): Promise<void> {
  const { status, decision, id } = item;
  try {
    if (status === "approved" || status === "rejected") {
      await authors.decided(guildId, item.comment.authorId, status);
    }
    for (const watchId of await watches.watching(guildId, source)) {
      if (watchId === item.watchId) continue;
      const ref = { watchId, itemId: id };
      const changed = await items.change(guildId, ref, (other) => {
        if (other.status !== "open" && other.status !== "later") return other;
        const { later: _, failure: __, ...rest } = other;
        return { ...rest, status, endedAt: clock.now(), ...(decision && { decision }) };
      });
      if (changed?.isChanged) announcer.changed(guildId, ref);
    }
  } catch (error) {
    log.warn("what a decision brings about elsewhere was not written", { guildId, error });
  }
}
