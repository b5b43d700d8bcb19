import { rowIdOf } from "../../store/index.ts";
import type { WatchedState } from "./watch.ts";

/** A comment as it was read last. */
export interface QueuedComment {
  readonly id: string;
  /** Of a reply: the comment it answers. */
  readonly parentId?: string | undefined;
  readonly videoId?: string | undefined;
  readonly text: string;
  readonly imageUrl?: string | undefined;
  readonly authorId?: string | undefined;
  readonly authorName?: string | undefined;
  readonly authorAvatar?: string | undefined;
  readonly likes: number;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly state: WatchedState;
  readonly canReply?: boolean | undefined;
}

/** Who decides: a person of Discord's, or a rule. */
export type Actor =
  | { readonly userId: string; readonly userName: string }
  | { readonly ruleId: string; readonly ruleName: string };

export type DecisionKind = "approve" | "reject" | "ban" | "hold";

/** Where something was decided. */
export type DecidedFrom = "card" | "digest" | "command" | "rule" | "log";

/** What is to become of a comment. Times are milliseconds since the epoch. */
export interface CommentDecision {
  readonly kind: DecisionKind;
  readonly by: Actor;
  readonly from: DecidedFrom;
  readonly at: number;
  /** Not sent before, so that it can be taken back. */
  readonly dueAt: number;
  /** What it was before, where it was not open: it returns to that when this comes to nothing. */
  readonly was?: Extract<CommentStatus, "approved" | "held">;
  /** While it is `sending`: the service gave no clear answer. */
  readonly unconfirmed?: UnconfirmedDecision;
}

/** A decision whose effect is unknown, until a look at the comment tells. */
export interface UnconfirmedDecision {
  /** Not looked at before. Milliseconds since the epoch. */
  readonly lookAt: number;
  /** How often a look came to nothing. */
  readonly tries: number;
  /** Why it is unknown; absent where its process ended in between. */
  readonly failure?: DecisionFailure | undefined;
}

/** Why a decision came to nothing. `code` is that of an error; `until`: when it is worth another try, if told. */
export interface DecisionFailure {
  readonly code: string;
  readonly until?: number | undefined;
}

/**
 * `open` waits for people; `later` was put off; `pending` is decided and can still be taken back; `sending` is on its
 * way to the service, and after a restart nobody knows whether it arrived; the others are over. `elsewhere`: it was
 * decided on the platform; `gone`: nobody can read it any more.
 */
export type CommentStatus =
  | "open"
  | "later"
  | "pending"
  | "sending"
  | "approved"
  | "rejected"
  | "held"
  | "elsewhere"
  | "gone";

/** A message that shows something, from before it is sent. */
export interface CardAt {
  /** `due`: to be sent; `sending`: perhaps sent; `posted`: there; `lost`: somebody removed it. */
  readonly state: "due" | "sending" | "posted" | "lost";
  /** Of its buttons, 22 characters; stays for its whole life, and tells it among other messages. */
  readonly handle: string;
  /** Since when it is in that state. Milliseconds since the epoch. */
  readonly since: number;
  /** Where it is: of a forum the post. */
  readonly channelId?: string;
  readonly messageId?: string;
  /** Which revision of the comment or digest the message shows. */
  readonly drawn?: number;
}

/** How often something was decided about on a day of Los Angeles. */
export interface DecisionCount {
  readonly day: string;
  readonly count: number;
}

/** Which comment of which watch. */
export interface ItemRef {
  readonly watchId: string;
  readonly itemId: string;
}

/** A comment in a watch's queue. Times are milliseconds since the epoch. */
export interface HeldComment {
  /** As `itemIdOf` makes it: first 32 hex digits of the SHA-256 of the comment's id. */
  readonly id: string;
  readonly watchId: string;
  /** The linked channel whose comment it is: decisions are sent as that one. */
  readonly source: string;
  readonly comment: QueuedComment;
  readonly video?:
    | { readonly title: string; readonly thumbnailUrl?: string | undefined }
    | undefined;
  /** Of a reply: what it answers. */
  readonly parent?: { readonly authorName?: string | undefined; readonly text: string } | undefined;
  /** When it came into the queue, and when it was last read from the service. */
  readonly seenAt: number;
  readonly readAt: number;
  readonly status: CommentStatus;
  /** Counts every change that a card shows. */
  readonly revision: number;
  /** A message that shows it, its card or a digest, shows an older revision. */
  readonly needsDrawing?: true;
  /** The same for comments that say the same; absent for what is too short to count, or was not judged yet. */
  readonly likeness?: string;
  readonly decision?: CommentDecision;
  /** Decisions that were sent on the last day with any. */
  readonly decisions?: DecisionCount;
  /** Who put it off, until when. */
  readonly later?: { readonly by: Actor; readonly until: number };
  /** Who took a decision back last. */
  readonly undone?: { readonly by: Actor; readonly at: number };
  /** Why the last decision came to nothing. */
  readonly failure?: DecisionFailure & { readonly kind: DecisionKind; readonly at: number };
  /** Who answered it. */
  readonly replied?: { readonly by: Actor; readonly at: number };
  /** What a rule advises. */
  readonly advice?: {
    readonly ruleId: string;
    readonly ruleName: string;
    readonly kind: DecisionKind;
  };
  /** The rules were asked about it. */
  readonly isJudged?: true;
  readonly card: CardAt;
  /** The card before this one, of what was put off and came back: to be taken away when the new one is there. */
  readonly formerCard?: CardAt;
  /** Where it is shown together with others, and has no card of its own. */
  readonly digestId?: string;
  /** The digest that tells what a rule did with it. */
  readonly actsId?: string;
  /** When it was over; the record goes a while after it. */
  readonly endedAt?: number;
}

/** How a held comment is called after its comment: the service's ids have any shape. */
export function itemIdOf(commentId: string): string {
  return rowIdOf(commentId);
}

export function refOf({ watchId, id }: Pick<HeldComment, "watchId" | "id">): ItemRef {
  return { watchId, itemId: id };
}
