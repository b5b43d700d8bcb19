import {
  type AuditEntry,
  type AuthorHistory,
  type HeldComment,
  isDecided,
  isWaiting,
  type ModerationRecords,
} from "./records/index.ts";

/** A comment of an author: as the queue has it, or else as the log knows it. */
export type AuthorComment =
  | { readonly item: HeldComment; readonly entry?: undefined }
  | { readonly entry: AuditEntry; readonly item?: undefined };

/** So many of the latest comments and log entries are looked at. */
const maxRead = 200;

/** What is stored about an author's comments, without one of them, the newest first. @throws ServiceError `store_unavailable`. */
export async function readAuthorComments(
  { comments, audit }: Pick<ModerationRecords, "comments" | "audit">,
  guildId: string,
  { authorId, exceptId }: { readonly authorId: string; readonly exceptId: string },
): Promise<readonly AuthorComment[]> {
  const [queued, decided] = await Promise.all([
    comments.readOfAuthor(guildId, authorId, maxRead),
    // Only whole ids of channels have an index.
    /^UC[\w-]{22}$/u.test(authorId)
      ? audit.page(guildId, { author: authorId }, { limit: maxRead })
      : undefined,
  ]);
  const found = new Map<string, AuthorComment>();
  for (const item of queued) {
    const before = found.get(item.comment.id)?.item;
    // A comment of two watches has two records; one with a decision is preferred to one that waits.
    if (before === undefined || isWaiting(before)) found.set(item.comment.id, { item });
  }
  for (const entry of decided?.entries ?? []) {
    if (isDecided(entry) && !found.has(entry.commentId)) found.set(entry.commentId, { entry });
  }
  found.delete(exceptId);
  return [...found.values()].sort((one, other) => writtenAt(other) - writtenAt(one));
}

/** The log does not know when a comment was written, only when it came into the queue or was decided. */
function writtenAt({ item, entry }: AuthorComment): number {
  return item === undefined ? (entry.seenAt ?? entry.at) : item.comment.publishedAt;
}

/** An author's counts without a comment of theirs, which is counted among them. */
export function historyBeside(
  { status }: HeldComment,
  history: AuthorHistory | undefined,
): AuthorHistory | undefined {
  if (history === undefined) return undefined;
  const { seen, approved, rejected, ...rest } = history;
  const less = (count: number, isCounted: boolean) => Math.max(0, count - (isCounted ? 1 : 0));
  const others = {
    approved: less(approved, status === "approved"),
    rejected: less(rejected, status === "rejected"),
  };
  // Commands decide about comments that no watch has seen.
  const all = Math.max(less(seen, true), others.approved + others.rejected);
  return { ...rest, ...others, seen: all };
}
