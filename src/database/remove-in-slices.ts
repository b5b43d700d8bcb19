import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

export interface SliceRemoval {
  readonly table: keyof Tables;
  /** Columns of the table's key. */
  readonly key: readonly string[];
  readonly where: RawBuilder<unknown>;
  /** An indexed column of numbers: each slice starts where the last one ended, so that rows that stay are not read again. */
  readonly by?: string;
}

/** How many rows one statement removes, depending on how long the last one took. Other work runs in between. */
const sliceRows = { first: 50, least: 10, most: 500 } as const;
const sliceGoalMs = 10;

/**
 * Removes rows slice by slice, so that other work need not wait for all of them; returns how many. What a power cut undoes
 * has to be removed again. @throws ServiceError `store_unavailable`.
 */
export async function removeInSlices(
  { db, withoutDiskWait, settled }: Pick<Database, "db" | "withoutDiskWait" | "settled">,
  { table, key, where, by }: SliceRemoval,
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
    const { rows } = await withoutDiskWait(() => statement.execute(db));
    count += rows.length;
    if (rows.length < limit) return count;
    from = rows.reduce((latest, row) => Math.max(latest, row.at), from);
    const factor = Math.max(0.5, Math.min(2, sliceGoalMs / (performance.now() - begun)));
    limit = Math.round(Math.max(sliceRows.least, Math.min(sliceRows.most, limit * factor)));
    await settled();
    await nextTurn();
  }
}
