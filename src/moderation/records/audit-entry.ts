import type { Actor, DecidedFrom } from "./held-comment.ts";

/** What happened to a comment. */
export type AuditAct =
  | "approved"
  | "rejected"
  | "banned"
  | "held"
  | "replied"
  | "undone"
  | "later"
  | "failed";

/** Who decided what, when, from where, and what the service answered. */
export interface AuditEntry {
  /** Sorts by time: thirteen digits of milliseconds, `-`, 8 hex digits. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: Actor;
  readonly act: AuditAct;
  readonly from: DecidedFrom;
  /** `done`, or the code of the error. */
  readonly answer: string;
  /** The linked channel. */
  readonly source: string;
  readonly commentId: string;
  readonly videoId?: string;
  readonly authorId?: string;
  /** These two are forgotten after a while, and ids remain. */
  readonly authorName?: string;
  readonly text?: string;
}
