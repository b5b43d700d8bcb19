import { type BotError, LimitError } from "../../errors.ts";
import type { Moderated } from "../../video/index.ts";
import type { DecisionFailure, DecisionKind, QueuedComment } from "../records/index.ts";
import type { Standing } from "./look-up.ts";

/**
 * What came of sending one decision. `back`: people decide anew. `gone`: nobody can read the comment any more.
 * `elsewhere`: it was decided on the platform, for good.
 */
export type Outcome =
  | { readonly state: "done" }
  | { readonly state: "back" | "gone" | "elsewhere"; readonly failure: DecisionFailure };

/** `unclear`: it may have been carried out or not; how the comment stands has to tell. */
export type SentOutcome =
  | Outcome
  | { readonly state: "unclear"; readonly failure: DecisionFailure };

export function failureOf(error: BotError): DecisionFailure {
  const until = error instanceof LimitError ? error.retryAt?.getTime() : undefined;
  return { code: error.code, ...(until !== undefined && { until }) };
}

export function outcomeOf(kind: DecisionKind, moderated: Moderated): SentOutcome {
  if (moderated.state === "done") return { state: "done" };
  const { state, error } = moderated;
  const failure = failureOf(error);
  if (state === "unknown") return { state: "unclear", failure };
  if (state === "untried" || failure.code !== "comment_not_found")
    return { state: "back", failure };
  // A rejected comment is not found again, so the answer to the first of two tries may have been lost.
  return kind === "reject" ? { state: "done" } : { state: "gone", failure };
}

/** What a look at the comment says of a decision that may have arrived; undefined when it has not, as far as one sees. */
export function outcomeFound(
  kind: DecisionKind,
  { id, parentId }: QueuedComment,
  { statuses, isWhole }: Standing,
): Outcome | undefined {
  const status = statuses.get(id);
  if (kind === "reject" || kind === "ban") {
    // Rejected comments are in no list; neither are all replies of a long thread (facts, section 7).
    const isAbsent = !statuses.has(id) && isWhole && parentId === undefined;
    return isAbsent || status === "rejected" ? { state: "done" } : undefined;
  }
  if (status === (kind === "approve" ? "published" : "heldForReview")) return { state: "done" };
  // Rejected on the platform, which is final.
  return status === "rejected"
    ? { state: "elsewhere", failure: { code: "operation_not_supported" } }
    : undefined;
}
