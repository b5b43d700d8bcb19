import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { selectRecords } from "./select-records.ts";

/** An answer that is kept for the next time. */
export interface SavedReply {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 80 characters. */
  readonly name: string;
  readonly text: string;
}

/** All of it throws ServiceError `store_unavailable`. */
export function createSavedReplies(database: Database) {
  const { db, dialect, servers, transaction } = database;
  const table = createRecordTable<"saved_replies", SavedReply>(database, {
    table: "saved_replies",
    key: ["id"],
    columnsOf: ({ name }) => ({ name_key: foldedName(name) }),
  });
  return {
    /** In no order; there are at most 25. */
    all: (guildId: string) =>
      selectRecords<SavedReply>(database, guildId, { table: "saved_replies", where: sql`true` }),
    put: (guildId: string, reply: SavedReply) => table.change(guildId, [reply.id], () => reply),
    /** A transaction in which nobody else changes the server's. */
    inTurn: <T>(guildId: string, work: () => Promise<T>) =>
      transaction(async () => {
        const serverId = await servers.need(guildId);
        if (dialect === "postgres") {
          await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
        }
        return work();
      }),
    /** Answers whether it was there. */
    remove: (guildId: string, id: string) => table.remove(guildId, id),
  };
}

/** No two of a server are alike in this. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
