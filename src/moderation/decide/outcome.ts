import { type BotError, InputError } from "../../errors.ts";
import type { DecisionKind, QueuedComment } from "../../store/index.ts";
import type { Moderated } from "../../video/index.ts";
import type { Standing } from "./look-up.ts";

/**
 * What came of sending one decision. `back`: people decide anew. `gone`: nobody can read the comment any more.
 * `elsewhere`: it was decided on the platform, for good.
 */
export type Outcome =
  | { readonly state: "done" }
  | { readonly state: "back" | "gone" | "elsewhere"; readonly error: BotError };

/** It may have been carried out or not; how the comment stands has to tell. */
export interface Unclear {
  readonly state: "unclear";
  readonly error: BotError;
}

export function outcomeOf(kind: DecisionKind, moderated: Moderated): Outcome | Unclear {
  if (moderated.state === "done") return { state: "done" };
  const { state, error } = moderated;
  if (state === "unknown") return { state: "unclear", error };
  if (state === "untried" || !isMissing(error)) return { state: "back", error };
  // A rejected comment is not found again, so the answer to the first of two tries may have been lost.
  return kind === "reject" ? { state: "done" } : { state: "gone", error };
}

function isMissing({ code }: BotError): boolean {
  return code === "comment_not_found";
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
  return status === "rejected" ? { state: "elsewhere", error: rejected() } : undefined;
}

function rejected(): InputError {
  return new InputError("the comment was rejected on the platform", {
    code: "operation_not_supported",
    hint: "This comment was rejected on the platform, which is final.",
  });
}
