import { pressFor } from "../../discord/index.ts";
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

/** Decisions that can be made about several comments at once. */
export type GroupKind = Extract<DecisionKind, "approve" | "reject" | "ban">;

/**
 * What cards and digests offer. The handlers are declared elsewhere, because they draw the cards anew. States hold
 * nothing but ids, so a card's buttons mean the same for its whole life.
 */
export const cardPresses = {
  approve: pressFor("watch.approve", (ref: ItemRef) => ref),
  reject: pressFor("watch.reject", (ref: ItemRef) => ref),
  askBan: pressFor("watch.ban-ask", (ref: ItemRef) => ref),
  /** Opens a form. */
  reply: pressFor("watch.reply", (ref: ItemRef) => ref),
  later: pressFor("watch.later", (ref: ItemRef) => ref),
  /** Brings back a snoozed comment. */
  now: pressFor("watch.now", (ref: ItemRef) => ref),
  full: pressFor("watch.full", (ref: ItemRef) => ref),
  undo: pressFor("watch.undo", (ref: ItemRef) => ref),
} as const;

export const digestPresses = {
  choose: pressFor("watch.digest-choose", (ref: DigestRef) => ref),
  approveAll: pressFor("watch.digest-approve-all", (ref: DigestRef) => ref),
  rejectAll: pressFor("watch.digest-reject-all", (ref: DigestRef) => ref),
  byAuthor: pressFor("watch.digest-by-author", (ref: DigestRef) => ref),
  /** Opens a form. */
  byPattern: pressFor("watch.digest-by-pattern", (ref: DigestRef) => ref),
} as const;
