import { hashToRecordId } from "../store/index.ts";
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPageOptions,
  type ChangeAct,
  type HeldComment,
  toTimeKey,
} from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";

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

/** Who decided or changed what, when and from where, in one server. */
export type Audit = ReturnType<typeof createAudit>;

export function createAudit(room: Pick<ModerationRoom, "records" | "database">, guildId: string) {
  const { audit } = room.records;
  return {
    /** Newest first. */
    page: (filter: AuditFilter, options: AuditPageOptions) => audit.page(guildId, filter, options),
    /** Counts at most up to `atMost`, and stops early when that takes too long. */
    count: (filter: AuditFilter, atMost: number) => audit.count(guildId, filter, atMost),
    entry: async (id: string) =>
      /^\d{13}-[0-9a-f]{8}$/.test(id) ? audit.read(guildId, id) : undefined,
    /** What happened to one comment, newest first, at most 100. */
    ofComment: (commentId: string) => audit.ofComment(guildId, commentId),
    /** Adds what somebody changed at YouTube. */
    async addChange({ thingId, ...change }: RecordedChange): Promise<void> {
      const at = room.database.now();
      const hash = hashToRecordId(JSON.stringify([change.act, thingId, change.by]), 8);
      await audit.add(guildId, { id: `${toTimeKey(at)}-${hash}`, at, from: "command", ...change });
    },
  };
}

/** A new entry of the audit log; its id is made from the time and what it is about. */
export type NewAuditEntry = Omit<AuditEntry, "id">;

/**
 * One transaction for a change and its entries in the audit log; `record` returns whether the entry is new.
 * @throws ServiceError `store_unavailable`; what `change` throws.
 */
export async function recordChange<T>(
  { database, records, onRecord }: Pick<ModerationRoom, "database" | "records" | "onRecord">,
  guildId: string,
  change: (record: (happened: NewAuditEntry) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { changed, added } = await database.transaction(async () => {
    const entries: AuditEntry[] = [];
    const done = await change(async (happened) => {
      const entry = { id: entryIdFor(happened), ...happened };
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
export function auditFacts({ source, seenAt, comment }: HeldComment) {
  const { id: commentId, videoId, authorId, authorName, text } = comment;
  return { source, seenAt, commentId, videoId, authorId, authorName, text };
}

/** The same decision always gets the same id, so that it is not recorded twice when a crash makes its end happen twice. */
export function entryIdFor(entry: Pick<NewAuditEntry, "at" | "act" | "commentId" | "by">): string {
  const { at, act, commentId, by } = entry;
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${toTimeKey(at)}-${hashToRecordId(what, 8)}`;
}
