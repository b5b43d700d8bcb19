import { sql } from "kysely";
import type { Database } from "./open-database.ts";
import type { Tables } from "./schema.ts";

/** Records of servers whose whole is JSON in one column, with columns beside it for what is filtered or sorted. */
export interface RecordTable<T> {
  /** `ids` are those of the table's key, in its order. @throws ServiceError `store_unavailable`. */
  read(guildId: string, ...ids: readonly string[]): Promise<T | undefined>;
  /**
   * Replaces a record by what is made of it, `undefined` where there is none, and answers that; nobody, in this process
   * or another, comes between. To make `undefined` removes it, and to make the very same value costs no write. `make` may
   * be called several times; what it throws leaves the record as it is.
   * @throws ServiceError `store_unavailable`; `guild_erased`; what `make` throws.
   */
  change<U extends T | undefined>(
    guildId: string,
    ids: readonly string[],
    make: (stored: T | undefined) => U,
  ): Promise<U>;
  /** Answers whether it was there. @throws ServiceError `store_unavailable`. */
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
  /** All other columns, but for those that the database fills. */
  readonly columnsOf?: (value: T) => Omit<Partial<Tables[Name]>, "server_id" | "data">;
  /** Where the record stands when that is not `data`: such a record comes and goes with its row, and begins as `{}`. */
  readonly column?: "progress";
}

export function createRecordTable<Name extends RecordTableName, T>(
  { db, dialect, servers, transaction }: Database,
  spec: RecordTableSpec<Name, T>,
): RecordTable<T> {
  const { select, write, remove } = createStatements(db, spec);
  /** Until the transaction is over nobody else changes it; SQLite has one writer at a time anyway. */
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
        // Nothing to add it to.
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

/** What is asked of the table, by the key's values. */
function createStatements<Name extends RecordTableName, T>(
  db: Database["db"],
  { table, key, columnsOf, column: own }: RecordTableSpec<Name, T>,
) {
  const column = own ?? "data";
  const at = sql.table(table);
  const where = (serverId: number, ids: readonly string[]) =>
    sql.join(
      [sql`server_id = ${serverId}`, ...key.map((name, n) => sql`${sql.ref(name)} = ${ids[n]}`)],
      sql` and `,
    );

  async function insert(serverId: number, ids: readonly string[], columns: [string, unknown][]) {
    const all = [["server_id", serverId], ...key.map((name, n) => [name, ids[n]]), ...columns];
    const names = all.map(([name]) => sql.ref(String(name)));
    const values = all.map(([, one]) => sql`${one}`);
    await sql`insert into ${at} (${sql.join(names)}) values (${sql.join(values)})`.execute(db);
  }

  return {
    async select(serverId: number, ids: readonly string[], lock = sql``) {
      const { rows } = await sql<{ data: string }>`
        select ${sql.ref(column)} as data from ${at} where ${where(serverId, ids)} ${lock}`.execute(
        db,
      );
      // What lies there was written as this kind.
      return rows[0] === undefined ? undefined : (JSON.parse(rows[0].data) as T);
    },
    async remove(serverId: number, ids: readonly string[]): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        delete from ${at} where ${where(serverId, ids)}`.execute(db);
      return numAffectedRows > 0n;
    },
    async write(serverId: number, ids: readonly string[], value: T, stored?: T) {
      const columns = Object.entries({ ...columnsOf?.(value), [column]: JSON.stringify(value) });
      if (stored === undefined) return insert(serverId, ids, columns);
      // SQLite writes an index anew for each column that is set, even to what it was.
      const before: Readonly<Record<string, unknown>> = columnsOf?.(stored) ?? {};
      const set = columns
        .filter(([name, one]) => name === column || before[name] !== one)
        .map(([name, one]) => sql`${sql.ref(name)} = ${one}`);
      await sql`update ${at} set ${sql.join(set)} where ${where(serverId, ids)}`.execute(db);
    },
  };
}
