import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** Records of servers that are JSON in one column, with further columns for what is filtered or sorted. */
export interface RecordTable<T> {
  /** Reads a record. `ids` are the values of the table's key, in its order. @throws ServiceError `store_unavailable`. */
  read(guildId: string, ...ids: readonly string[]): Promise<T | undefined>;
  /**
   * Replaces a record by what `make` returns for it (it gets `undefined` if there is none), and returns the new value. Nobody,
   * in this process or another, changes it in between. If `make` returns `undefined`, the record is removed; if it returns the
   * very same value, nothing is written. `make` may be called several times; if it throws, the record stays as it is.
   * @throws ServiceError `store_unavailable`; `guild_erased`; what `make` throws.
   */
  change<U extends T | undefined>(
    guildId: string,
    ids: readonly string[],
    make: (stored: T | undefined) => U,
  ): Promise<U>;
  /** Returns whether there was one. @throws ServiceError `store_unavailable`. */
  remove(guildId: string, ...ids: readonly string[]): Promise<boolean>;
}

type RecordTableName = {
  [Name in keyof Tables]: Tables[Name] extends { readonly data: string; readonly server_id: number }
    ? Name
    : never;
}[keyof Tables];

interface RecordTableSpec<Name extends RecordTableName, T> {
  readonly table: Name;
  /** Columns of the key after the server's. */
  readonly key: readonly (keyof Tables[Name] & string)[];
  /** All other columns, except those that the database fills. */
  readonly columnsOf?: (value: T) => Omit<Partial<Tables[Name]>, "server_id" | "data">;
  /** The column of the record, if not `data`. Such a record exists as long as its row, and begins as `{}`. */
  readonly column?: "progress";
}

export function createRecordTable<Name extends RecordTableName, T>(
  { db, dialect, servers, transaction }: Database,
  spec: RecordTableSpec<Name, T>,
): RecordTable<T> {
  const { select, write, remove } = createStatements(db, spec);
  /** Nobody else changes the row until the transaction is over; SQLite has one writer at a time anyway. */
  const lock = dialect === "postgres" ? sql`for update` : sql``;
  return {
    read: async (guildId, ...ids) => {
      const serverId = await servers.find(guildId);
      return serverId === undefined ? undefined : select(serverId, ids);
    },
    change: (guildId, ids, make) =>
      transaction(async () => {
        const serverId = await servers.find(guildId);
        const stored = serverId === undefined ? undefined : await select(serverId, ids, lock);
        // There is no row to which it could be added.
        if (stored === undefined && spec.column !== undefined) return undefined as never;
        const made = make(stored);
        if (made === stored) return made;
        if (made === undefined) {
          if (serverId !== undefined) await remove(serverId, ids);
          return made;
        }
        await write(serverId ?? (await servers.need(guildId)), ids, made, stored);
        return made;
      }),
    remove: async (guildId, ...ids) => {
      const serverId = await servers.find(guildId);
      return serverId !== undefined && (await remove(serverId, ids));
    },
  };
}

function createStatements<Name extends RecordTableName, T>(
  db: Database["db"],
  { table, key, columnsOf, column: ownColumn }: RecordTableSpec<Name, T>,
) {
  const column = ownColumn ?? "data";
  const at = sql.table(table);
  const where = (serverId: number, ids: readonly string[]) =>
    sql.join(
      [sql`server_id = ${serverId}`, ...key.map((name, n) => sql`${sql.ref(name)} = ${ids[n]}`)],
      sql` and `,
    );

  return {
    async select(serverId: number, ids: readonly string[], lock = sql``) {
      const { rows } = await sql<{ data: string }>`
        select ${sql.ref(column)} as data from ${at} where ${where(serverId, ids)} ${lock}`.execute(
        db,
      );
      // Only values of this type are written there.
      return rows[0] === undefined ? undefined : (JSON.parse(rows[0].data) as T);
    },
    async remove(serverId: number, ids: readonly string[]): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        delete from ${at} where ${where(serverId, ids)}`.execute(db);
      return numAffectedRows > 0n;
    },
    async write(serverId: number, ids: readonly string[], value: T, stored?: T) {
      const columns = Object.entries({ ...columnsOf?.(value), [column]: JSON.stringify(value) });
      if (stored === undefined) {
        const all = [["server_id", serverId], ...key.map((name, n) => [name, ids[n]]), ...columns];
        const names = sql.join(all.map(([name]) => sql.ref(String(name))));
        const values = sql.join(all.map(([, one]) => sql`${one}`));
        await sql`insert into ${at} (${names}) values (${values})`.execute(db);
        return;
      }
      // SQLite updates an index for each column that is set, even to the value it had.
      const before: Readonly<Record<string, unknown>> = columnsOf?.(stored) ?? {};
      const set = columns
        .filter(([name, one]) => name === column || before[name] !== one)
        .map(([name, one]) => sql`${sql.ref(name)} = ${one}`);
      await sql`update ${at} set ${sql.join(set)} where ${where(serverId, ids)}`.execute(db);
    },
  };
}
