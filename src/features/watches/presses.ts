import { pressFor } from "../../discord/index.ts";
import type { Digest, ItemRef } from "../../moderation/index.ts";

/**
 * The buttons on a comment's card. Their handlers are declared elsewhere, because they redraw the card. A state holds
 * nothing but ids, so a button means the same for the card's whole life.
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
  /** Opens the buttons that are needed less often. */
  more: pressFor("watch.more", (ref: ItemRef) => ref),
  /** Opens a form for the reason of a rejection. */
  reason: pressFor("watch.reason", (ref: ItemRef) => ref),
  /** What is known about the author; a private message has it. */
  caseFile: pressFor("watch.case", (ref: ItemRef) => ref),
} as const;

export interface DigestRef {
  readonly watchId: string;
  readonly digestId: string;
}

export function digestRefOf({ watchId, id }: Pick<Digest, "watchId" | "id">): DigestRef {
  return { watchId, digestId: id };
}

/** The buttons of a digest; the first five were on digests from the beginning. */
export const digestPresses = {
  choose: pressFor("watch.digest-choose", (ref: DigestRef) => ref),
  approveAll: pressFor("watch.digest-approve-all", (ref: DigestRef) => ref),
  rejectAll: pressFor("watch.digest-reject-all", (ref: DigestRef) => ref),
  byAuthor: pressFor("watch.digest-by-author", (ref: DigestRef) => ref),
  byPattern: pressFor("watch.digest-by-pattern", (ref: DigestRef) => ref),
  /** Opens the ways to choose some of the comments. */
  pick: pressFor("watch.digest-pick", (ref: DigestRef) => ref),
} as const;
