import { recordIdOf } from "../store/index.ts";
import type { ModerationPartDeps } from "./deps.ts";
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPageOptions,
  type HeldComment,
  type ModerationRecords,
  toTimeKey,
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
    /** Counts at most up to `atMost`, and stops early when that takes too long. */
    count: (filter: AuditFilter, atMost: number) => audit.count(guildId, filter, atMost),
    entry: async (id: string) => (isId(id) ? audit.read(guildId, id) : undefined),
    /** What happened to one comment, newest first, at most 100. */
    ofComment: (commentId: string) => audit.ofComment(guildId, commentId),
  };
}

function isId(id: string): boolean {
  return /^\d{13}-[0-9a-f]{8}$/.test(id);
}

/** A new entry of the audit log; its id is made from the time and what it is about. */
export type NewAuditEntry = Omit<AuditEntry, "id">;

/**
 * One transaction for a change and its entries in the audit log; `record` returns whether the entry is new.
 * @throws ServiceError `store_unavailable`; what `change` throws.
 */
export async function recordChange<T>(
  { database, records, onRecord }: Pick<ModerationPartDeps, "database" | "records" | "onRecord">,
  guildId: string,
  change: (record: (happened: NewAuditEntry) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { changed, added } = await database.transaction(async () => {
    const entries: AuditEntry[] = [];
    const done = await change(async (happened) => {
      const entry = { id: entryIdOf(happened), ...happened };
      const isNew = await records.audit.add(guildId, entry);
      if (isNew) entries.push(entry);
      return isNew;
    });
    return { changed: done, added: entries };
  });
  for (const entry of added) onRecord?.(entry);
  return changed;
}

/** What an audit entry keeps about a comment. */
export function auditFactsOf({
  source,
  comment: { id, videoId, authorId, authorName, text },
}: HeldComment): Omit<NewAuditEntry, "at" | "by" | "act" | "from" | "answer"> {
  return { source, commentId: id, videoId, authorId, authorName, text };
}

/** The same decision always gets the same id, so that it is not recorded twice when a crash makes its end happen twice. */
function entryIdOf({ at, act, commentId, by }: NewAuditEntry): string {
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${toTimeKey(at)}-${recordIdOf(what, 8)}`;
}
