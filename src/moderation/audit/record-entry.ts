import { rowIdOf } from "../../store/index.ts";
import {
  type AuditEntry,
  type HeldComment,
  type ModerationRecords,
  timeKey,
} from "../records/index.ts";

/** What goes on record; its id is made of when it was and of what it is about. */
type NewAuditEntry = Omit<AuditEntry, "id">;

/** Answers the entry, or nothing where it is on record already. @throws ServiceError `store_unavailable`. */
export async function recordEntry(
  { records }: { readonly records: Pick<ModerationRecords, "audit"> },
  guildId: string,
  happened: NewAuditEntry,
): Promise<AuditEntry[]> {
  const entry = { id: idOf(happened), ...happened };
  return (await records.audit.add(guildId, entry)) ? [entry] : [];
}

/** What an entry tells of a comment. */
export function aboutComment({
  source,
  comment: { id, videoId, authorId, authorName, text },
}: HeldComment): Omit<NewAuditEntry, "at" | "by" | "act" | "from" | "answer"> {
  return {
    source,
    commentId: id,
    ...(videoId !== undefined && { videoId }),
    ...(authorId !== undefined && { authorId }),
    ...(authorName !== undefined && { authorName }),
    text,
  };
}

/** Of a decision that is over: when it was made, by whom and where. */
export function aboutDecision({
  decision,
}: HeldComment): Pick<NewAuditEntry, "at" | "by" | "from"> {
  if (decision === undefined) throw new TypeError("nothing was decided about this comment");
  const { at, by, from } = decision;
  return { at, by, from };
}

/** A decision whose end is met twice, before and after a crash, must not be on record twice. */
function idOf({ at, act, commentId, by }: NewAuditEntry): string {
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${timeKey(at)}-${rowIdOf(what, 8)}`;
}
