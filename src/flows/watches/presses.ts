import { pressFor } from "../../discord/index.ts";
import type { ItemRef } from "../../moderation/index.ts";

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
} as const;
