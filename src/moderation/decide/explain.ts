import { entryIdFor } from "../audit.ts";
import { checkLength } from "../comment-text.ts";
import {
  type CommentDecision,
  type DecisionReason,
  type HeldComment,
  type ItemRef,
  isFinal,
  isUnsettled,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { decisionActs } from "./settle-decisions.ts";

export const maxReasonChars = 200;

/**
 * Adds a reason to a rejection, also after it was sent: to the comment in every queue, and to the audit log. Returns the
 * comment, or undefined if it is not rejected.
 * @throws InputError `reason_text`; ServiceError `store_unavailable`.
 */
export async function explainRejection(
  { database, records }: ModerationRoom,
  guildId: string,
  { ref, ...draft }: DecisionReason & { readonly ref: ItemRef },
): Promise<HeldComment | undefined> {
  const line = draft.text.replaceAll(/\s+/gu, " ").trim();
  checkLength("reason_text", line, maxReasonChars);
  const reason = { ...draft, text: line };
  return database.transaction(async () => {
    const item = await records.comments.read(guildId, ref);
    if (item === undefined || !isRejection(item)) return undefined;
    const { at, by, kind } = item.decision;
    const explain = (stored: HeldComment): HeldComment =>
      stored.decision?.at === at && stored.decision.kind === kind
        ? { ...stored, decision: { ...stored.decision, reason } }
        : stored;
    const everywhere = await records.comments.readInAllWatches(guildId, ref.itemId);
    const own = everywhere.filter(({ source }) => source === item.source);
    const changes = own.map((one) => ({ ref: toItemRef(one), make: explain }));
    const changed = await records.comments.changeAll(guildId, changes);
    const id = entryIdFor({ at, by, act: decisionActs[kind], commentId: item.comment.id });
    // There is none until the decision is sent; it then takes the reason along.
    await records.audit.change(guildId, id, (entry) => ({ ...entry, reason }));
    return changed.find(({ watchId }) => watchId === ref.watchId);
  });
}

/** Whether it is rejected, or about to be. */
export function isRejection<T extends Pick<HeldComment, "status" | "decision">>(
  item: T,
): item is T & { readonly decision: CommentDecision } {
  return (isUnsettled(item) || item.status === "rejected") && isFinal(item.decision?.kind);
}
