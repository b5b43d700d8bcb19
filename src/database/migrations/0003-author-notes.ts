import type { Kysely } from "kysely";
import { createTablesOf, type TableDialect } from "./create-tables.ts";

/** What moderators note about people who comment. */
export const noteColumns = {
  author_notes: {
    server_id: "bigint not null references servers (id) on delete cascade",
    /** The author's YouTube channel. */
    author_id: "word not null",
    /** Sorts by time. */
    id: "word not null",
    at: "bigint not null",
    data: "text not null",
  },
} as const;

export async function createNoteTable(db: Kysely<unknown>, dialect: TableDialect): Promise<void> {
  const keys = { author_notes: { key: "server_id, author_id, id", indexes: ["(at)"] } };
  await createTablesOf(db, { columns: noteColumns, keys, dialect });
}
