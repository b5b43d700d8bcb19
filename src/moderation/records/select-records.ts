import { type Database, type RawBuilder, sql } from "../../database/index.ts";

/** Whole records of a server; none where nothing is stored about it. @throws ServiceError `store_unavailable`. */
export async function selectRecords<T>(
  { db, servers }: Database,
  guildId: string,
  {
    table,
    where,
  }: {
    readonly table: "held_comments" | "digests" | "saved_replies";
    readonly where: RawBuilder<unknown>;
  },
): Promise<T[]> {
  const serverId = await servers.find(guildId);
  const { rows } = await sql<{ data: string }>`
    select data from ${sql.table(table)} where server_id = ${serverId ?? 0} and ${where}`.execute(
    db,
  );
  // What lies there was written as this kind.
  return rows.map(({ data }) => JSON.parse(data) as T);
}
