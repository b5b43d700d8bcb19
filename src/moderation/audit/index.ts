/** Who decided what, when and from where, and what is known of those who comment. */

export { type AuditLog, createAuditLog, type Happened } from "./audit-log.ts";
export { type AuthorBook, createAuthorBook } from "./author-book.ts";
