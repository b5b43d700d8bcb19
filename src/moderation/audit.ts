import { rowIdOf } from "../store/index.ts";
import type { PartOptions } from "./parts.ts";
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPageOptions,
  type HeldComment,
  type ModerationRecords,
  timeKey,
} from "./records/index.ts";

/** Who decided what, when and from where, in one guild. */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit(
  { records: { audit } }: { readonly records: Pick<ModerationRecords, "audit"> },
  guildId: string,
) {
  return {
    /** Newest first. */
    page: (filter: AuditFilter, options: AuditPageOptions) => audit.page(guildId, filter, options),
    /** Counts up to that number, and no longer than some milliseconds. */
    count: (filter: AuditFilter, atMost: number) => audit.count(guildId, filter, atMost),
    entry: async (id: string) => (isId(id) ? audit.read(guildId, id) : undefined),
    /** What happened to one comment, newest first, at most 100. */
    ofComment: (commentId: string) => audit.ofComment(guildId, commentId),
  };
}

function isId(id: string): boolean {
  return /^\d{13}-[0-9a-f]{8}$/.test(id);
}

/** What goes on record; its id is made of when it was and of what it is about. */
export type NewAuditEntry = Omit<AuditEntry, "id">;

/**
 * One transaction for a change and what goes on record about it; `record` answers whether that was not on record already.
 * @throws ServiceError `store_unavailable`; what `change` throws.
 */
export async function recordChange<T>(
  { database, records, onRecord }: Pick<PartOptions, "database" | "records" | "onRecord">,
  guildId: string,
  change: (record: (happened: NewAuditEntry) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { changed, added } = await database.transaction(async () => {
    const entries: AuditEntry[] = [];
    const done = await change(async (happened) => {
      const entry = { id: idOf(happened), ...happened };
      const isNew = await records.audit.add(guildId, entry);
      if (isNew) entries.push(entry);
      return isNew;
    });
    return { changed: done, added: entries };
  });
  for (const entry of added) onRecord?.(entry);
  return changed;
}

/** What an entry tells of a comment. */
export function aboutComment({
  source,
  comment: { id, videoId, authorId, authorName, text },
}: HeldComment): Omit<NewAuditEntry, "at" | "by" | "act" | "from" | "answer"> {
  return { source, commentId: id, videoId, authorId, authorName, text };
}

/** A decision whose end is met twice, before and after a crash, must not be on record twice. */
function idOf({ at, act, commentId, by }: NewAuditEntry): string {
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${timeKey(at)}-${rowIdOf(what, 8)}`;
}
