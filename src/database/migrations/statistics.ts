import { type Kysely, sql } from "kysely";

/** Those that may hold many rows of one server, watch or queue, and find them in several ways. */
const tables = ["watches", "held_comments", "digests", "audit_log", "jobs"] as const;
const rows = 1_000_000;
/** How many values a column has among rows that are alike before it; one with few rows of interest counts for more. */
const values: Readonly<Record<string, number>> = {
  ...{ server_id: 10, watch_id: 2, source: 2, queue: 10, status: 5, decision: 4 },
  ...{ act: 5, actor_id: 10, has_text: 2, is_paused: 1, unable_since: 1, id: rows, key: rows },
};
const usualValues = 1_000;

interface IndexColumn {
  readonly table: string;
  readonly index: string;
  readonly column: string;
}

/**
 * Tells SQLite how many rows share what its indexes begin with. Without figures it takes ten rows for each value of an
 * index's first column, and so reads all rows of a server in the order of their key where another index has the few. They
 * are the same for every database, so that a statement is answered alike everywhere: https://sqlite.org/optoverview.html
 * (6.2). A migration that makes an index calls this at its end.
 */
export async function describeIndexes(db: Kysely<never>): Promise<void> {
  // Makes the table of figures, which is to be filled by whoever knows better.
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
    // A table in the order of its key is that key's index.
    const name = byKey.has(table) && index.startsWith("sqlite_autoindex_") ? table : index;
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      values (${table}, ${name}, ${[rows, ...figures].join(" ")})`.execute(db);
  }
  await sql`analyze sqlite_schema`.execute(db);
}
