import { hashToRecordId } from "../../store/index.ts";
import type { WatchedState } from "./watch.ts";

/** A comment as it was last read from YouTube. */
export interface QueuedComment {
  readonly id: string;
  /** For a reply: the comment it answers. */
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

/** A Discord user. */
export interface NamedPerson {
  readonly userId: string;
  readonly userName: string;
}

/** Who decides: a Discord user, or a rule. */
export type Actor = NamedPerson | { readonly ruleId: string; readonly ruleName: string };

export type DecisionKind = "approve" | "reject" | "ban" | "hold";

/** Where something was decided. */
export type DecisionOrigin = "card" | "digest" | "review" | "command" | "rule" | "log";

/** Why something was rejected, in the words of a moderator. */
export interface DecisionReason {
  /** At most 200 characters. */
  readonly text: string;
  readonly by: NamedPerson;
}

/** A decision about a comment. Times are milliseconds since the epoch. */
export interface CommentDecision {
  readonly kind: DecisionKind;
  readonly by: Actor;
  readonly from: DecisionOrigin;
  readonly at: number;
  /** It is not sent earlier, so that it can be undone. */
  readonly dueAt: number;
  /** The earlier status, if the comment was not open; it gets that back when the decision fails. */
  readonly was?: Extract<HeldCommentStatus, "approved" | "held"> | undefined;
  readonly reason?: DecisionReason | undefined;
  /** Set while the status is `sending` and YouTube gave no clear answer. */
  readonly unconfirmed?: UnconfirmedDecision | undefined;
  /** Set while it is due but can't be sent: it is kept, and sent by itself as soon as that works. */
  readonly delay?: DecisionDelay | undefined;
}

/** Why a decision that is due is not sent yet. */
export interface DecisionDelay {
  /** `units`: too little quota is left; `link`: the linked channel can't be used; `service`: YouTube does not answer. */
  readonly why: "units" | "link" | "service";
  /** `until`: for `units` when there is quota again, for `service` when it is tried next. */
  readonly failure: DecisionFailure;
  /** Since when it waits for that reason, and how many tries failed. */
  readonly since: number;
  readonly tries: number;
}

/** A decision whose effect is unknown until the comment is read again. */
export interface UnconfirmedDecision {
  /** When to read the comment again. Milliseconds since the epoch. */
  readonly lookAt: number;
  /** Since when, and how often reading it brought no answer. */
  readonly since?: number | undefined;
  readonly tries: number;
  /** Why it is unknown; absent if the process ended in between. */
  readonly failure?: DecisionFailure | undefined;
}

/** Why a decision failed: the code of the error, and when another try makes sense, if known. */
export interface DecisionFailure {
  readonly code: string;
  readonly until?: number | undefined;
}

/**
 * `open` waits for people; `later` is snoozed; `pending` is decided and can still be undone; `sending` is on its way to
 * YouTube, and after a restart it is unknown whether it arrived. The others are settled. `elsewhere`: it was decided on
 * YouTube itself; `gone`: it can't be read any more; `erased`: what was stored about its author was erased, and it stays away.
 */
export type HeldCommentStatus =
  | "open"
  | "later"
  | "pending"
  | "sending"
  | "approved"
  | "rejected"
  | "held"
  | "elsewhere"
  | "gone"
  | "erased";

/** The message that shows a comment or digest, and whether it was sent. */
export interface CardMessage {
  /** `due`: has to be sent; `sending`: may have been sent; `posted`: it is there; `lost`: somebody deleted it. */
  readonly state: "due" | "sending" | "posted" | "lost";
  /** The handle of its buttons, 22 characters. It never changes, and identifies the message in its channel. */
  readonly handle: string;
  /** Since when it is in that state. Milliseconds since the epoch. */
  readonly since: number;
  /** The channel the message is in; in a forum, the post. */
  readonly channelId?: string | undefined;
  readonly messageId?: string | undefined;
  /** Which revision of the comment or digest the message shows. */
  readonly drawn?: number | undefined;
  /** Its buttons were taken away, because its watch has ended. */
  readonly isClosed?: true | undefined;
}

/** Where a posted message is. */
export function postedPlace({ state, channelId, messageId }: CardMessage) {
  const isThere = state === "posted" && channelId !== undefined && messageId !== undefined;
  return isThere ? { channelId, messageId } : undefined;
}

/** How often a comment was decided about on one day, by the time of Los Angeles, where YouTube's quota day ends. */
export interface DecisionCount {
  readonly day: string;
  readonly count: number;
}

/** A comment in the queue of a watch. */
export interface ItemRef {
  readonly watchId: string;
  readonly itemId: string;
}

/** A comment in a watch's queue. Times are milliseconds since the epoch. */
export interface HeldComment {
  /** As `toItemId` makes it: the first 32 hex digits of the SHA-256 of the comment's id. */
  readonly id: string;
  readonly watchId: string;
  /** The linked channel that the comment belongs to; decisions are sent as this channel. */
  readonly source: string;
  readonly comment: QueuedComment;
  readonly video?:
    | { readonly title: string; readonly thumbnailUrl?: string | undefined }
    | undefined;
  /** For a reply: the comment it answers. */
  readonly parent?: { readonly authorName?: string | undefined; readonly text: string } | undefined;
  /** When it came into the queue, and when it was last read from YouTube. */
  readonly seenAt: number;
  readonly readAt: number;
  readonly status: HeldCommentStatus;
  /** Counts every change that a card shows. */
  readonly revision: number;
  /** Its card or a digest shows an older revision. */
  readonly needsDrawing?: true | undefined;
  /** Equal for comments with the same text; absent if the text is too short to count or was not judged yet. */
  readonly likeness?: string | undefined;
  readonly decision?: CommentDecision | undefined;
  /** How many decisions were sent on the last day that had any. */
  readonly decisions?: DecisionCount | undefined;
  /** Who snoozed it, and until when. */
  readonly later?: { readonly by: Actor; readonly until: number } | undefined;
  /** Who says that they are dealing with it. Others may still decide; a decision ends it. */
  readonly assigned?: { readonly by: NamedPerson; readonly at: number } | undefined;
  /** Who says that they have dealt with it on YouTube itself; nothing was sent from here. */
  readonly handled?: { readonly by: NamedPerson; readonly at: number } | undefined;
  /** Who last undid a decision. */
  readonly undone?: { readonly by: Actor; readonly at: number } | undefined;
  /** Why the last decision failed. */
  readonly failure?:
    | (DecisionFailure & { readonly kind: DecisionKind; readonly at: number })
    | undefined;
  /** Who answered it. */
  readonly replied?: {
    readonly by: Actor;
    readonly at: number;
    /** The beginning of the reply; absent in records of earlier versions. */
    readonly text?: string | undefined;
  };
  /** What a rule advises. */
  readonly advice?: {
    readonly ruleId: string;
    readonly ruleName: string;
    readonly kind: DecisionKind;
    /** What matched; absent in records of earlier versions. */
    readonly found?: string | undefined;
  };
  /** Another channel of the server where the author was hidden, when the comment came. */
  readonly hiddenOn?:
    | { readonly source: string; readonly name?: string | undefined; readonly at: number }
    | undefined;
  /** The rules have judged it. */
  readonly isJudged?: true | undefined;
  readonly card: CardMessage;
  /** The earlier card of a comment that came back; it is deleted once the new one is posted. */
  readonly formerCard?: CardMessage | undefined;
  /** The digest that shows it, if it has no card of its own. */
  readonly digestId?: string | undefined;
  /** The digest that reports what a rule did with it. */
  readonly actsId?: string | undefined;
  /** When it was settled; the record is deleted some time later. */
  readonly endedAt?: number | undefined;
}

/** The id of a held comment, made from the comment's id, because YouTube's ids have no fixed form. */
export function toItemId(commentId: string): string {
  return hashToRecordId(commentId);
}

/** Whether it waits for people; a snoozed one does too. */
export function isWaiting({ status }: Pick<HeldComment, "status">): boolean {
  return status === "open" || status === "later";
}

/** Whether it was decided, and the outcome is not known yet. */
export function isUnsettled({ status }: Pick<HeldComment, "status">): boolean {
  return status === "pending" || status === "sending";
}

/** Whether YouTube can't take that decision back. */
export function isFinal(kind: DecisionKind | undefined): boolean {
  return kind === "reject" || kind === "ban";
}

/** Whether people keep a comment that is published already: its approval closes the card, and YouTube is not asked. */
export function isKept({ comment, decision }: Pick<HeldComment, "comment" | "decision">): boolean {
  const isApproval = decision?.kind === "approve" && decision.was === undefined;
  return isApproval && comment.state === "published";
}

export function toItemRef({ watchId, id }: Pick<HeldComment, "watchId" | "id">): ItemRef {
  return { watchId, itemId: id };
}
