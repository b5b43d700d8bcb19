import type { Press } from "../../discord/index.ts";
import type { DecisionKind, ItemRef } from "../../moderation/index.ts";

export interface DigestRef {
  readonly watchId: string;
  readonly digestId: string;
}

/** Comments of one watch that were chosen together. */
export interface Chosen {
  readonly watchId: string;
  readonly itemIds: readonly string[];
}

/** Decisions that can be made about several at once. */
export type GroupKind = Extract<DecisionKind, "approve" | "reject" | "ban">;

/**
 * What cards and digests offer, apart from what carries it out, because either draws the other. States hold nothing but
 * ids: a card's presses mean the same for its whole life.
 */
export const cardPresses = {
  approve: of<ItemRef>("watch.approve"),
  reject: of<ItemRef>("watch.reject"),
  askBan: of<ItemRef>("watch.ban-ask"),
  /** Opens a form. */
  reply: of<ItemRef>("watch.reply"),
  later: of<ItemRef>("watch.later"),
  /** Brings back what was put off. */
  now: of<ItemRef>("watch.now"),
  full: of<ItemRef>("watch.full"),
  undo: of<ItemRef>("watch.undo"),
} as const;

export const digestPresses = {
  choose: of<DigestRef>("watch.digest-choose"),
  approveAll: of<DigestRef>("watch.digest-approve-all"),
  rejectAll: of<DigestRef>("watch.digest-reject-all"),
  byAuthor: of<DigestRef>("watch.digest-by-author"),
  /** Opens a form. */
  byPattern: of<DigestRef>("watch.digest-by-pattern"),
} as const;

function of<S>(action: string) {
  return (state: S): Press => ({ action, state });
}
