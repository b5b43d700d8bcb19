import { type Database, type RawBuilder, sql } from "../../database/index.ts";
import type { HeldComment } from "./held-comment.ts";

export type Sql = RawBuilder<unknown>;

interface RecordSelection {
  readonly table:
    | "held_comments"
    | "digests"
    | "saved_replies"
    | "author_notes"
    | "rule_lists"
    | "rule_shares";
  readonly where: Sql;
}

/** Whole records of a server; none if nothing is stored about the server. @throws ServiceError `store_unavailable`. */
export async function selectRecords<T>(
  database: Database,
  guildId: string,
  { table, where }: RecordSelection,
): Promise<T[]> {
  const serverId = await findServerId(database, guildId);
  const { rows } = await sql<{ data: string }>`
    select data from ${sql.table(table)} where server_id = ${serverId} and ${where}`.execute(
    database.db,
  );
  // The table holds only records of this type.
  return rows.map(({ data }) => JSON.parse(data) as T);
}

export function selectComments(database: Database, guildId: string, where: Sql) {
  return selectRecords<HeldComment>(database, guildId, { table: "held_comments", where });
}

export async function countHeldComments(database: Database, guildId: string, where: Sql) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from held_comments
    where server_id = ${await findServerId(database, guildId)} and ${where}`.execute(database.db);
  return rows[0]?.count ?? 0;
}

/** The server's id in the database; for an unknown server 0, which no row has. */
export async function findServerId({ servers }: Database, guildId: string): Promise<number> {
  return (await servers.find(guildId)) ?? 0;
}
