import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { hashToRecordId } from "../../store/index.ts";
import type { NamedPerson } from "./held-comment.ts";
import { selectRecords } from "./select-records.ts";

/** What a server knows about somebody who comments. */
export interface AuthorHistory {
  /** How many comments the watches found, and how many are approved and rejected as they stand. */
  readonly seen: number;
  readonly approved: number;
  readonly rejected: number;
  /** How many notes moderators have written about them. */
  readonly notes: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

type Counts = Pick<AuthorHistory, "seen" | "approved" | "rejected">;

/** Counts, for each author, how their comments were decided. Every method throws ServiceError `store_unavailable`. */
export function createAuthorRecords({ db, servers, now }: Database) {
  async function addAll(
    guildId: string,
    all: readonly (Counts & { readonly id: string })[],
  ): Promise<void> {
    if (all.length === 0) return;
    const server_id = await servers.need(guildId);
    const last_at = now();
    await db
      .insertInto("authors")
      .values(all.map((counts) => ({ server_id, ...counts, last_at })))
      .onConflict((conflict) =>
        conflict.columns(["server_id", "id"]).doUpdateSet({
          seen: sql`authors.seen + excluded.seen`,
          approved: sql`authors.approved + excluded.approved`,
          rejected: sql`authors.rejected + excluded.rejected`,
          last_at: sql`excluded.last_at`,
        }),
      )
      .execute();
  }

  return {
    async read(guildId: string, authorId: string): Promise<AuthorHistory | undefined> {
      const serverId = await servers.find(guildId);
      const row = await db
        .selectFrom("authors")
        .select([
          "seen",
          "approved",
          "rejected",
          "last_at",
          sql<number>`(
          select count(*) from author_notes
          where author_notes.server_id = authors.server_id and author_id = ${authorId}
        )`.as("notes"),
        ])
        .where("server_id", "=", serverId ?? 0)
        .where("id", "=", hashToRecordId(authorId))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { last_at: lastAt, approved, rejected, ...counts } = row;
      // An approval may be taken back here that was made before approvals were counted.
      return {
        ...counts,
        lastAt,
        approved: Math.max(0, approved),
        rejected: Math.max(0, rejected),
      };
    },
    /** Adds to an author's counts; does nothing for a comment without an author. */
    async add(guildId: string, authorId: string | undefined, what: Partial<Counts>) {
      if (authorId === undefined) return;
      await addAll(guildId, [{ ...none, ...what, id: hashToRecordId(authorId) }]);
    },
    /** Adds how often each author was seen, by author id. */
    addSeen: (guildId: string, times: ReadonlyMap<string, number>) =>
      addAll(
        guildId,
        Array.from(times, ([authorId, seen]) => ({ ...none, seen, id: hashToRecordId(authorId) })),
      ),
  };
}

const none: Counts = { seen: 0, approved: 0, rejected: 0 };

/** What a moderator noted about somebody who comments. Only moderators read it. */
export interface AuthorNote {
  /** Sorts by time: thirteen digits of milliseconds, `-`, 8 hex digits. */
  readonly id: string;
  /** The author's YouTube channel. */
  readonly authorId: string;
  readonly text: string;
  readonly by: NamedPerson;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createAuthorNoteRecords(database: Database) {
  const table = createRecordTable<"author_notes", AuthorNote>(database, {
    table: "author_notes",
    key: ["author_id", "id"],
    columnsOf: ({ at }) => ({ at }),
  });
  return {
    /** Newest first. */
    ofAuthor: (guildId: string, authorId: string) =>
      selectRecords<AuthorNote>(database, guildId, {
        table: "author_notes",
        where: sql`author_id = ${authorId} order by id desc`,
      }),
    add: (guildId: string, note: AuthorNote) =>
      table.change(guildId, [note.authorId, note.id], () => note),
    /** Takes the author's id and the note's. Returns whether it was there. */
    remove: table.remove,
  };
}
