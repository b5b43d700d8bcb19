import type { Database } from "../database/index.ts";
import { recordIdOf } from "../store/index.ts";
import type { ModerationPartDeps } from "./deps.ts";
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPageOptions,
  type ChangeAct,
  type HeldComment,
  type ModerationRecords,
  toTimeKey,
} from "./records/index.ts";

/** A change at YouTube that somebody made with a command or a button. */
export interface RecordedChange
  extends Pick<
    AuditEntry,
    "by" | "answer" | "source" | "commentId" | "videoId" | "playlistId" | "channelId" | "text"
  > {
  readonly act: ChangeAct;
  /** Id of what was changed; tells apart what one person does in the same millisecond. */
  readonly thingId: string;
}

/** Who decided or changed what, when and from where, in one guild. */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit(
  {
    records: { audit },
    database,
  }: {
    readonly records: Pick<ModerationRecords, "audit">;
    readonly database: Pick<Database, "now">;
  },
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
    /** Adds what somebody changed at YouTube. */
    async addChange({ thingId, ...change }: RecordedChange): Promise<void> {
      const at = database.now();
      const hash = recordIdOf(JSON.stringify([change.act, thingId, change.by]), 8);
      await audit.add(guildId, { id: `${toTimeKey(at)}-${hash}`, at, from: "command", ...change });
    },
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
  seenAt,
  comment: { id, videoId, authorId, authorName, text },
}: HeldComment): Omit<NewAuditEntry, "at" | "by" | "act" | "from" | "answer"> {
  return { source, seenAt, commentId: id, videoId, authorId, authorName, text };
}

/** The same decision always gets the same id, so that it is not recorded twice when a crash makes its end happen twice. */
export function entryIdOf({
  at,
  act,
  commentId,
  by,
}: Pick<NewAuditEntry, "at" | "act" | "commentId" | "by">): string {
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${toTimeKey(at)}-${recordIdOf(what, 8)}`;
}
