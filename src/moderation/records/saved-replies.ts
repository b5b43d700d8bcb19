import { createRecordTable, type Database, sql } from "../../database/index.ts";

/** An answer that is kept for the next time. */
export interface SavedReply {
  /** 8 hex digits. */
  readonly id: string;
  /** At most 80 characters. */
  readonly name: string;
  readonly text: string;
}

/** All of it throws ServiceError `store_unavailable`. */
export interface SavedReplyRecords {
  /** In no order; there are at most 25. */
  all(guildId: string): Promise<readonly SavedReply[]>;
  put(guildId: string, reply: SavedReply): Promise<SavedReply>;
  /** A transaction in which nobody else changes the server's. */
  inTurn<T>(guildId: string, work: () => Promise<T>): Promise<T>;
  /** Answers whether it was there. */
  remove(guildId: string, id: string): Promise<boolean>;
}

export function createSavedReplies(database: Database): SavedReplyRecords {
  const { db, dialect, servers, transaction } = database;
  const table = createRecordTable<"saved_replies", SavedReply>(database, {
    table: "saved_replies",
    key: ["id"],
    columnsOf: ({ name }) => ({ name_key: foldedName(name) }),
  });
  return {
    async all(guildId) {
      const serverId = await servers.find(guildId);
      const rows = await db
        .selectFrom("saved_replies")
        .select("data")
        .where("server_id", "=", serverId ?? 0)
        .execute();
      return rows.map(({ data }) => JSON.parse(data) as SavedReply);
    },
    inTurn: (guildId, work) =>
      transaction(async () => {
        const serverId = await servers.need(guildId);
        if (dialect === "postgres") {
          await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
        }
        return work();
      }),
    put: (guildId, reply) => table.change(guildId, [reply.id], () => reply),
    remove: (guildId, id) => table.remove(guildId, id),
  };
}

/** No two of a server are alike in this. */
export function foldedName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
