import type { CommentCursor, ItemRef } from "../../moderation/index.ts";

/** How far a review is. It is stored with the message's buttons and stays small, however long the queue is. */
export interface ReviewState {
  /** The watch whose comments are shown; those of the watches after it follow, unless `isOnly`. */
  readonly watchId: string;
  readonly isOnly?: true;
  /** Comments up to here were shown. */
  readonly after?: CommentCursor;
  /** When the decisions of this review are sent if nobody finishes it; until then they can be undone. */
  readonly dueAt: number;
  /** How many decisions have that time, and how many were sent before because the review took longer. */
  readonly made: number;
  readonly earlier: number;
  readonly skipped: number;
  /** Comments that were marked as dealt with on YouTube. */
  readonly handled?: number;
  /** Comments that somebody else decided about first. */
  readonly taken: number;
  /** The last decision, and where the review was before it. */
  readonly last?: {
    readonly ref: ItemRef;
    readonly after?: CommentCursor;
    /** It was marked as dealt with, which is no decision of the batch. */
    readonly isHandled?: true;
  };
}

/** After this long without the end of the review, its decisions are sent, so that none is lost. */
export const reviewMs = 15 * 60_000;
/** A decision so close to the end begins a new batch. */
const leastMs = 60_000;

/** The state for the next decision, whose batch must not be sent while it is made. */
export function renewBatch(state: ReviewState, now: number): ReviewState {
  if (state.dueAt - now > leastMs) return state;
  const { last: _, ...rest } = state;
  return { ...rest, dueAt: now + reviewMs, made: 0, earlier: state.earlier + state.made };
}
