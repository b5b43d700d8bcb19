import { type Kysely, sql } from "kysely";

export interface TableKeys {
  /** The primary key, if it consists of several columns. */
  readonly key?: string;
  readonly constraint?: string;
  /**
   * An index with `where` contains only those rows, so that writing other rows costs nothing. It has a name if the one made
   * from the columns would not be unique.
   */
  readonly indexes?: readonly string[];
}

const types = {
  sqlite: { serial: "integer primary key autoincrement", word: "text", bytes: "blob" },
  // Ids and words compare by their bytes on both databases, so that pages follow each other.
  postgres: { serial: "bigserial primary key", word: 'text collate "C"', bytes: "bytea" },
} as const;

export type TableDialect = keyof typeof types;

/** Columns by table, in the words of SQL with three types of our own: `serial`, `word` and `bytes`. */
type TableColumns = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface NewTables<C extends TableColumns> {
  readonly columns: C;
  readonly keys: Partial<Record<keyof C, TableKeys>>;
  readonly dialect: TableDialect;
}

/** Creates tables with their keys and indexes. */
export async function createTablesOf<C extends TableColumns>(
  db: Kysely<unknown>,
  { columns: tables, keys: keysOf, dialect }: NewTables<C>,
): Promise<void> {
  for (const [name, columns] of Object.entries(tables)) {
    const keys = keysOf[name] ?? {};
    await sql.raw(tableSql(name, columns, { ...keys, dialect })).execute(db);
    for (const index of keys.indexes ?? []) await sql.raw(indexSql(name, index)).execute(db);
  }
}

function tableSql(
  name: string,
  columns: Readonly<Record<string, string>>,
  { dialect, key, constraint }: TableKeys & { readonly dialect: TableDialect },
): string {
  const parts = Object.entries(columns).map(
    ([column, type]) =>
      `${column} ${type.replace(/^(?:serial|word|bytes)\b/u, (own) => types[dialect][own as "word"])}`,
  );
  if (key !== undefined) parts.push(`constraint ${name}_key primary key (${key})`);
  if (constraint !== undefined) parts.push(`constraint ${constraint}`);
  // SQLite keeps such a table in the order of its key, so that the rows of a server lie together and their pages go with
  // them: in pages that several servers share, moving rows about leaves copies that no deletion overwrites.
  const isOwned = dialect === "sqlite" && key?.startsWith("server_id") === true;
  return `create table ${name} (${parts.join(", ")})${isOwned ? " without rowid" : ""}`;
}

function indexSql(table: string, index: string): string {
  const [, name, columns, rest] = /^(\w*) ?\(([^)]*)\)(.*)$/u.exec(index) ?? [];
  const usual = columns?.split(", ").filter((column) => column !== "server_id");
  const own = name || `${table}_by_${usual?.join("_") || "server"}`;
  return `create index ${own} on ${table} (${columns})${rest}`;
}
