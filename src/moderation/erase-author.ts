import { type Database, readServerRows, removeInSlices, sql } from "../database/index.ts";
import { hashToRecordId } from "../store/index.ts";
import {
  type AuditEntry,
  findServerId,
  type HeldComment,
  type ItemRef,
  isUnsettled,
  toItemRef,
} from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";

/** What is stored in one server about somebody who comments. */
export interface AuthorTraces {
  /** A comment that several watches have is one. */
  readonly comments: number;
  /** How many of them were decided, and that is not sent yet. */
  readonly unsent: number;
  readonly notes: number;
  readonly entries: number;
  /** Whether there are counts of how their comments were decided. */
  readonly hasHistory: boolean;
  /** Whether the rules spare them. */
  readonly isSpared: boolean;
}

/** Comments and entries that one transaction changes. */
const batchSize = 25;

/** Shows and erases what is stored about one author. @throws ServiceError `store_unavailable`. */
export function createAuthorErasure(
  { database, records }: Pick<ModerationRoom, "database" | "records">,
  guildId: string,
) {
  return {
    async traces(authorId: string): Promise<AuthorTraces> {
      const notes = await records.notes.ofAuthor(guildId, authorId);
      const entryIds = await records.audit.idsOfAuthor(guildId, authorId);
      const { spared } = await records.rules.read(guildId);
      const { own, unsent } = await findComments(database, guildId, authorId);
      return {
        comments: new Set(own.map(({ itemId }) => itemId)).size,
        unsent,
        notes: notes.length,
        entries: entryIds.length,
        hasHistory: (await records.authors.read(guildId, authorId)) !== undefined,
        isSpared: spared.authors.some(({ id }) => id === authorId),
      };
    },
    /** May be repeated if it fails halfway. */
    async erase(authorId: string): Promise<void> {
      const { own, answers } = await findComments(database, guildId, authorId);
      // First of all, so that no decision that is still on its way records anything of them again.
      const now = database.now();
      await changeComments(own, (held) => eraseComment(held, now));
      await changeComments(answers, (held) => ({ ...held, parent: undefined }));
      const entryIds = await records.audit.idsOfAuthor(guildId, authorId);
      for (let from = 0; from < entryIds.length; from += batchSize) {
        await database.transaction(async () => {
          for (const id of entryIds.slice(from, from + batchSize)) {
            await records.audit.change(guildId, id, eraseEntry);
          }
        });
      }
      const serverId = await findServerId(database, guildId);
      await removeInSlices(database, {
        table: "author_notes",
        key: ["server_id", "author_id", "id"],
        where: sql`server_id = ${serverId} and author_id = ${authorId}`,
      });
      await removeInSlices(database, {
        table: "authors",
        key: ["server_id", "id"],
        where: sql`server_id = ${serverId} and id = ${hashToRecordId(authorId)}`,
      });
      await records.rules.changeStored(guildId, (book) => {
        const authors = book.spared.authors.filter(({ id }) => id !== authorId);
        if (authors.length === book.spared.authors.length) return book;
        return { ...book, spared: { ...book.spared, authors } };
      });
      await database.wipe();
    },
  };

  async function changeComments(
    refs: readonly ItemRef[],
    make: (held: HeldComment) => HeldComment,
  ): Promise<void> {
    for (let from = 0; from < refs.length; from += batchSize) {
      const changes = refs.slice(from, from + batchSize).map((ref) => ({ ref, make }));
      await records.comments.changeAll(guildId, changes);
    }
  }
}

interface AuthorComments {
  readonly own: readonly ItemRef[];
  /** Replies of others that quote them. */
  readonly answers: readonly ItemRef[];
  readonly unsent: number;
}

/** Reads the server's whole queue, page by page: no index knows whom replies quote, and this is asked for rarely. */
async function findComments(
  database: Database,
  guildId: string,
  authorId: string,
): Promise<AuthorComments> {
  const own: HeldComment[] = [];
  const quoting: HeldComment[] = [];
  for await (const rows of readServerRows(database, guildId, "held_comments")) {
    for (const { data } of rows) {
      const held = JSON.parse(String(data)) as HeldComment;
      if (held.comment.authorId === authorId) own.push(held);
      else if (held.parent !== undefined) quoting.push(held);
    }
  }
  const ids = new Set(own.map(({ comment }) => comment.id));
  const answers = quoting.filter(({ comment }) => ids.has(comment.parentId ?? ""));
  const unsent = own.filter(isUnsettled).length;
  return { own: own.map(toItemRef), answers: answers.map(toItemRef), unsent };
}

/** What is left draws its messages empty, and keeps YouTube's list from bringing it back: its id here is a hash. */
function eraseComment(held: HeldComment, endedAt: number): HeldComment {
  const { id, watchId, source, seenAt, readAt, revision, card, formerCard } = held;
  const { digestId, actsId, comment } = held;
  const { publishedAt, updatedAt, state } = comment;
  return {
    id,
    watchId,
    source,
    seenAt,
    readAt,
    revision,
    card,
    formerCard,
    digestId,
    actsId,
    status: "erased",
    endedAt,
    comment: { id: "", text: "", likes: 0, publishedAt, updatedAt, state },
  };
}

/** Who decided what and when stays; whose comment it was does not. */
function eraseEntry({ id, at, by, act, from, answer, source, seenAt }: AuditEntry): AuditEntry {
  return { id, at, by, act, from, answer, source, seenAt, commentId: "" };
}
