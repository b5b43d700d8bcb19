import { createRecordTable, type Database, sql } from "../../database/index.ts";
import type { NamedPerson } from "./held-comment.ts";
import { inServerTurn, selectRecords } from "./select-records.ts";

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
    /** Runs `work` in a transaction in which nobody else adds notes. */
    inTurn: <T>(guildId: string, work: () => Promise<T>) => inServerTurn(database, guildId, work),
    /** Returns whether it was there. */
    remove: (guildId: string, authorId: string, id: string) => table.remove(guildId, authorId, id),
  };
}
