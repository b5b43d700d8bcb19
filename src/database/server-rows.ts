import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Tables with the rows of a server, and the columns of their keys after the server's id. */
const keys = {
  watches: ["id"],
  held_comments: ["watch_id", "id"],
  digests: ["watch_id", "id"],
  authors: ["id"],
  author_notes: ["author_id", "id"],
  audit_log: ["id"],
  rule_books: [],
  rule_lists: ["id"],
  rule_list_contents: ["list_id"],
  rule_shares: ["id"],
  saved_replies: ["id"],
  feeds: ["id"],
  announcements: ["feed_id", "video_id"],
  jobs: ["queue", "key"],
} as const;

export type ServerRowTable = keyof typeof keys;

/** The columns of a row, by their names. */
export type ServerRecordRow = Readonly<Record<string, string | number | null>>;

export type ServerRowCounts = Readonly<Record<ServerRowTable, number>>;

const pageSize = 200;

/** @throws ServiceError `store_unavailable`. */
export async function countServerRows(
  { db, servers }: Database,
  guildId: string,
): Promise<ServerRowCounts> {
  const serverId = await servers.find(guildId);
  const counts: [string, number][] = [];
  for (const table of Object.keys(keys)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where server_id = ${serverId ?? -1}`.execute(
      db,
    );
    counts.push([table, Number(rows[0]?.count)]);
    await nextTurn();
  }
  return Object.fromEntries(counts) as ServerRowCounts;
}

/** All rows of a server in a table, in the order of their keys, page by page. @throws ServiceError `store_unavailable`. */
export async function* readServerRows(
  { db, servers }: Database,
  guildId: string,
  table: ServerRowTable,
): AsyncGenerator<readonly ServerRecordRow[]> {
  const serverId = await servers.find(guildId);
  if (serverId === undefined) return;
  const key: readonly string[] = keys[table];
  const columns = sql.join(key.map((name) => sql.ref(name)));
  for (let after = sql``, order = key.length > 0 ? sql`order by ${columns}` : sql``; ; ) {
    const { rows } = await sql<ServerRecordRow>`
      select * from ${sql.table(table)} where server_id = ${serverId} ${after}
      ${order} limit ${pageSize}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = sql`and (${columns}) > (${sql.join(key.map((name) => last[name]))})`;
    // SQLite answers within the same turn of the event loop, so other work gets a turn between two pages.
    await nextTurn();
  }
}
