import { InputError } from "../../errors.ts";
import { entryIdOf } from "../audit.ts";
import {
  type CommentDecision,
  type DecisionReason,
  type HeldComment,
  type ItemRef,
  itemRefOf,
} from "../records/index.ts";
import type { DecideDeps } from "./deps.ts";
import { actOf } from "./settle-decisions.ts";

export const maxReasonChars = 200;

/**
 * Adds a reason to a rejection, also after it was sent: to the comment in every queue, and to the audit log. Returns the
 * comment, or undefined if it is not rejected.
 * @throws InputError `reason_text`; ServiceError `store_unavailable`.
 */
export async function explainRejection(
  { database, records }: DecideDeps,
  guildId: string,
  { ref, ...draft }: DecisionReason & { readonly ref: ItemRef },
): Promise<HeldComment | undefined> {
  const reason = { ...draft, text: checkReason(draft.text) };
  return database.transaction(async () => {
    const item = await records.comments.read(guildId, ref);
    if (item === undefined || !isRejection(item)) return undefined;
    const { decision, source } = item;
    const everywhere = await records.comments.readInAllWatches(guildId, ref.itemId);
    const changed = await records.comments.changeAll(
      guildId,
      everywhere
        .filter((one) => one.source === source)
        .map((one) => ({
          ref: itemRefOf(one),
          make: (stored) =>
            isSame(stored.decision, decision)
              ? { ...stored, decision: { ...stored.decision, reason } }
              : stored,
        })),
    );
    const { at, by, kind } = decision;
    const id = entryIdOf({ at, by, act: actOf[kind], commentId: item.comment.id });
    // There is none until the decision is sent; it then takes the reason along.
    await records.audit.change(guildId, id, (entry) => ({ ...entry, reason }));
    return changed.find(({ watchId }) => watchId === ref.watchId);
  });
}

/** Whether it is rejected, or about to be. */
export function isRejection(
  item: HeldComment,
): item is HeldComment & { readonly decision: CommentDecision } {
  const { status, decision } = item;
  const isDecided = status === "pending" || status === "sending" || status === "rejected";
  return isDecided && (decision?.kind === "reject" || decision?.kind === "ban");
}

function isSame(
  one: CommentDecision | undefined,
  { at, kind }: CommentDecision,
): one is CommentDecision {
  return one?.at === at && one.kind === kind;
}

function checkReason(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  const chars = [...line].length;
  if (chars >= 1 && chars <= maxReasonChars) return line;
  throw new InputError(`a reason has ${chars} characters`, {
    code: "reason_text",
    facts: { length: chars, maxChars: maxReasonChars },
  });
}
