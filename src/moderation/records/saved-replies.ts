import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { selectRecords } from "./select-records.ts";

/** A reply that people saved to use it again. */
export interface SavedReply {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 80 characters. */
  readonly name: string;
  readonly text: string;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createSavedReplyRecords(database: Database) {
  const table = createRecordTable<"saved_replies", SavedReply>(database, {
    table: "saved_replies",
    key: ["id"],
    columnsOf: ({ name }) => ({ name_key: foldReplyName(name) }),
  });
  return {
    /** At most 25, unsorted. */
    all: (guildId: string) =>
      selectRecords<SavedReply>(database, guildId, { table: "saved_replies", where: sql`true` }),
    put: (guildId: string, reply: SavedReply) => table.change(guildId, [reply.id], () => reply),
    /** Takes its id. Returns whether it was there. */
    remove: table.remove,
  };
}

/** The name in the form that must be unique in a server. */
export function foldReplyName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
