import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./open-database.ts";
import type { Tables } from "./schema.ts";

export interface Slices {
  readonly table: keyof Tables;
  /** Columns of the table's key. */
  readonly key: readonly string[];
  readonly where: RawBuilder<unknown>;
  /** A column of numbers with an index: what stays is not looked at again with each slice. */
  readonly by?: string;
}

/** Rows of one statement, by how long the one before took; between two of them other work goes on. */
const sliceRows = { first: 50, least: 10, most: 500 } as const;
const sliceMs = 10;

/**
 * Removes rows slice by slice, so that nothing waits for all of them; answers how many. What a power cut takes back has to be
 * removed once more. @throws ServiceError `store_unavailable`.
 */
export async function removeInSlices(
  { db, hurriedly, settled }: Pick<Database, "db" | "hurriedly" | "settled">,
  { table, key, where, by }: Slices,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const at = sql.table(table);
  let count = 0;
  let limit: number = sliceRows.first;
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const begun = performance.now();
    const rest =
      by === undefined ? sql`` : sql`and ${sql.ref(by)} >= ${from} order by ${sql.ref(by)}`;
    const statement = sql<{ readonly at: number }>`
      delete from ${at} where (${columns}) in (
        select ${columns} from ${at} where ${where} ${rest} limit ${limit})
      returning ${by === undefined ? sql`0` : sql.ref(by)} as at`;
    const { rows } = await hurriedly(() => statement.execute(db));
    count += rows.length;
    if (rows.length < limit) return count;
    from = rows.reduce((latest, row) => Math.max(latest, row.at), from);
    const factor = Math.max(0.5, Math.min(2, sliceMs / (performance.now() - begun)));
    limit = Math.round(Math.max(sliceRows.least, Math.min(sliceRows.most, limit * factor)));
    await settled();
    await nextTurn();
  }
}
