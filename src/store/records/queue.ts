import type { WatchedState } from "./watch.ts";

/** A comment as it was read last. */
export interface QueuedComment {
  readonly id: string;
  /** Of a reply: the comment it answers. */
  readonly parentId?: string;
  readonly videoId?: string;
  readonly text: string;
  readonly imageUrl?: string;
  readonly authorId?: string;
  readonly authorName?: string;
  readonly authorAvatar?: string;
  readonly likes: number;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly state: WatchedState;
  readonly canReply?: boolean;
}

/** Who decides: a person of Discord's, or a rule. */
export type Actor =
  | { readonly userId: string; readonly userName: string }
  | { readonly ruleId: string; readonly ruleName: string };

export type DecisionKind = "approve" | "reject" | "ban" | "hold";

/** Where something was decided. */
export type DecidedFrom = "card" | "digest" | "command" | "rule" | "log";

/** What is to become of a comment. Times are milliseconds since the epoch. */
export interface ItemDecision {
  readonly kind: DecisionKind;
  readonly by: Actor;
  readonly from: DecidedFrom;
  readonly at: number;
  /** Not sent before, so that it can be taken back. */
  readonly dueAt: number;
  /** What it was before, where it was not open: it returns to that when this comes to nothing. */
  readonly was?: Extract<ItemStatus, "approved" | "held">;
}

/**
 * `open` waits for people; `later` was put off; `pending` is decided and can still be taken back; `sending` is on its
 * way to the service, and after a restart nobody knows whether it arrived; the others are over. `elsewhere`: it was
 * decided on the platform; `gone`: nobody can read it any more.
 */
export type ItemStatus =
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
  /** The revision of what it shows that it shows. */
  readonly drawn?: number;
}

/** How often something was decided about on a day of Los Angeles. */
export interface DecisionCount {
  readonly day: string;
  readonly count: number;
}

/** A comment in a watch's queue. Times are milliseconds since the epoch. */
export interface QueueItem {
  /** First 32 hex digits of the SHA-256 of the comment's id. */
  readonly id: string;
  readonly watchId: string;
  /** The linked channel whose comment it is; its watch's when absent. A watch may get another one. */
  readonly source?: string;
  readonly comment: QueuedComment;
  readonly video?: { readonly title: string; readonly thumbnailUrl?: string };
  /** Of a reply: what it answers. */
  readonly parent?: { readonly authorName?: string; readonly text: string };
  /** When it came into the queue, and when the service last told it. */
  readonly seenAt: number;
  readonly readAt: number;
  readonly status: ItemStatus;
  /** Counts every change that a card shows. */
  readonly revision: number;
  readonly decision?: ItemDecision;
  /** Decisions that were sent on the last day with any. */
  readonly decisions?: DecisionCount;
  /** Who put it off, until when. */
  readonly later?: { readonly by: Actor; readonly until: number };
  /** Who took a decision back last. */
  readonly undone?: { readonly by: Actor; readonly at: number };
  /** Why the last decision came to nothing. `code` is that of an error; `until`: when it is worth another try, if told. */
  readonly failure?: {
    readonly code: string;
    readonly kind: DecisionKind;
    readonly at: number;
    readonly until?: number;
  };
  /** Who answered it. */
  readonly replied?: { readonly by: Actor; readonly at: number };
  /** What a rule advises. */
  readonly advice?: {
    readonly ruleId: string;
    readonly ruleName: string;
    readonly kind: DecisionKind;
  };
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

/** Several comments in one message. */
export interface Digest {
  /** 32 hex digits. */
  readonly id: string;
  readonly watchId: string;
  /** At most 25, in order. */
  readonly itemIds: readonly string[];
  readonly revision: number;
  readonly card: CardAt;
  /** Where it is, when that is not where the watch leaves its cards. */
  readonly channelId?: string;
  /** What rules did with them by themselves: then it tells of that, and asks for nothing. */
  readonly acts?: readonly {
    readonly itemId: string;
    readonly ruleId: string;
    readonly ruleName: string;
  }[];
  readonly addedAt: number;
}

/** What is known of somebody who comments, in one guild. */
export interface AuthorHistory {
  readonly seen: number;
  readonly approved: number;
  readonly rejected: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** An answer that is kept for the next time. */
export interface SavedReply {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 80 characters. */
  readonly name: string;
  readonly text: string;
}
