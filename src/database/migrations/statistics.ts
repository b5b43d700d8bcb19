import { type Kysely, sql } from "kysely";

/** Tables with many rows of one server, watch or queue, and several indexes to find them by. */
const tables = ["watches", "held_comments", "digests", "audit_log", "jobs"] as const;
const rows = 1_000_000;
/**
 * How many different values a column has among rows that are equal in the columns before it. The index of the watches serves
 * sums over all servers, so its first columns narrow nothing down.
 */
const values: Readonly<Record<string, number>> = {
  server_id: 10,
  watch_id: 2,
  source: 2,
  queue: 10,
  status: 5,
  decision: 4,
  act: 5,
  actor_id: 10,
  has_text: 2,
  is_paused: 1,
  unable_since: 1,
  id: rows,
  key: rows,
};
const usualValues = 1_000;

interface IndexColumn {
  readonly table: string;
  readonly index: string;
  readonly column: string;
}

/**
 * Writes statistics for SQLite: how many rows share the first columns of its indexes. Without them SQLite assumes ten rows for
 * each value of an index's first column, and reads all rows of a server by the table's key although another index would find
 * the few. The figures are the same in every database, so that each statement uses the same index everywhere (section 6.2 of
 * https://sqlite.org/optoverview.html). A migration that adds an index to one of these tables calls this at its end.
 */
export async function describeIndexes(db: Kysely<unknown>): Promise<void> {
  // Only `analyze` can create the table of statistics.
  await sql`analyze`.execute(db);
  await sql`delete from sqlite_stat1`.execute(db);
  const { rows: columns } = await sql<IndexColumn>`
    select tables.name as "table", indexes.name as "index", columns.name as "column"
    from sqlite_master as tables, pragma_index_list(tables.name) as indexes,
      pragma_index_info(indexes.name) as columns
    where tables.name in (${sql.join(tables)})
    order by indexes.name, columns.seqno`.execute(db);
  const { rows: ordered } = await sql<{ name: string }>`
    select name from sqlite_master where sql like '%without rowid%'`.execute(db);
  const byKey = new Set(ordered.map(({ name }) => name));
  for (const [index, of] of Map.groupBy(columns, (one) => one.index)) {
    const table = of[0]?.table ?? "";
    let alike = rows;
    const figures = of.map(({ column }) => {
      alike = Math.max(1, Math.round(alike / (values[column] ?? usualValues)));
      return alike;
    });
    // A table without row ids is the index of its own key.
    const name = byKey.has(table) && index.startsWith("sqlite_autoindex_") ? table : index;
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      values (${table}, ${name}, ${[rows, ...figures].join(" ")})`.execute(db);
  }
  await sql`analyze sqlite_schema`.execute(db);
}
