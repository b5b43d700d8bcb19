import type { BotError } from "../../errors.ts";
import { InputError } from "../../errors.ts";
import type { DecisionKind } from "../../store/index.ts";
import type { Moderated } from "../../video/index.ts";

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

/** What a look at the comment says of a decision that may have arrived; undefined when it has not. */
export function outcomeFound(
  kind: DecisionKind,
  /** Undefined where it can't be read. */
  found: { readonly status: string | undefined } | undefined,
): Outcome | undefined {
  const wanted = { approve: "published", hold: "heldForReview" } as const;
  // Rejected comments are in no list.
  if (kind === "reject" || kind === "ban") {
    return found === undefined || found.status === "rejected" ? { state: "done" } : undefined;
  }
  if (found?.status === wanted[kind]) return { state: "done" };
  return found?.status === "rejected" ? { state: "elsewhere", error: rejected() } : undefined;
}

function rejected(): InputError {
  return new InputError("the comment was rejected on the platform", {
    code: "operation_not_supported",
    hint: "This comment was rejected on the platform, which is final.",
  });
}
