import {
  type AuditEntry,
  found,
  type ModerationRows,
  type QueuedComment,
  type QueueItem,
  rowIdOf,
} from "../../store/index.ts";
import type { Audit, AuditFilter } from "../types.ts";

/** What goes on record; its id is made of when it was and of what it is about. */
export type Happened = Omit<AuditEntry, "id">;

export interface AuditLog {
  of(guildId: string): Audit;
  /** The same once more is the same entry. @throws ServiceError `store_unavailable`. */
  write(guildId: string, happened: Happened): Promise<void>;
}

/** `onRecord` is told of every entry once. */
export function createAuditLog(
  { audit }: Pick<ModerationRows, "audit">,
  onRecord: (entry: AuditEntry) => void = () => undefined,
): AuditLog {
  return {
    of: (guildId) => ({
      entries: async (filter = {}) =>
        (await audit.list(guildId))
          .filter((entry) => isAsked(entry, filter))
          .sort((one, other) => (one.id < other.id ? 1 : -1)),
      entry: async (id) => (isId(id) ? found(await audit.read(guildId, id)) : undefined),
    }),
    async write(guildId, happened) {
      const id = idOf(happened);
      let isNew = false;
      const entry = await audit.update(guildId, id, (stored) => {
        isNew = stored === undefined;
        return stored ?? { id, ...happened };
      });
      if (isNew) onRecord(entry);
    },
  };
}

/** What an entry tells of a comment. */
export function aboutComment(
  source: string,
  { id, videoId, authorId, authorName, text }: QueuedComment,
): Omit<Happened, "at" | "by" | "act" | "from" | "answer"> {
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
export function aboutDecision({ decision }: QueueItem): Pick<Happened, "at" | "by" | "from"> {
  if (decision === undefined) throw new TypeError("nothing was decided about this item");
  const { at, by, from } = decision;
  return { at, by, from };
}

/** A decision whose end is met twice, before and after a crash, must not be on record twice. */
function idOf({ at, act, commentId, by }: Happened): string {
  const what = JSON.stringify([act, commentId, "userId" in by ? by.userId : by.ruleId]);
  return `${String(at).padStart(13, "0")}-${rowIdOf(what, 8)}`;
}

function isId(id: string): boolean {
  return /^\d{13}-[0-9a-f]{8}$/.test(id);
}

function isAsked(entry: AuditEntry, filter: AuditFilter): boolean {
  const { userId, act, author, since, until } = filter;
  if (userId !== undefined && !("userId" in entry.by && entry.by.userId === userId)) return false;
  if (act !== undefined && entry.act !== act) return false;
  if (since !== undefined && entry.at < since) return false;
  if (until !== undefined && entry.at > until) return false;
  return author === undefined || isBy(entry, author);
}

function isBy({ authorId, authorName }: AuditEntry, author: string): boolean {
  const wanted = author.toLowerCase();
  return [authorId, authorName].some((name) => name?.toLowerCase().includes(wanted));
}
