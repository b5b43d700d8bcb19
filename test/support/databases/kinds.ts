import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";
import type { DatabaseServer } from "./child.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** An empty database, and a way to its rows that goes round the program. */
export interface Place {
  readonly url: string;
  /** Runs one statement, whose values are `$1`, `$2` …; the tables are there once somebody has opened the database. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The value of a row of `keyv`: `credential:111111111111111111:video-key` and the like. */
  get(key: string): Promise<string | undefined>;
  /** Over what is there, and to stay. */
  put(key: string, text: string): Promise<void>;
  /** Every value of `keyv` by its key, as it lies there. */
  all(): Promise<ReadonlyMap<string, string>>;
  /** Makes it empty again, where that is quicker than another one. */
  clear?(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** A kind of database that the bot runs on. */
export interface Kind {
  readonly name: string;
  readonly dialect: "sqlite" | "postgres";
  /** Its server starts with the first. */
  fresh(): Promise<Place>;
  stop(): Promise<void>;
}

export const kinds: readonly { readonly name: string; readonly make?: () => Kind }[] = [
  { name: "SQLite", make: sqlite },
  { name: "PostgreSQL", ...(findPostgres() && { make: postgres }) },
];

/** The same, where a test takes the place of one that has finished. */
export function reusing(kind: Kind, whenFinished: (work: () => void) => void): Kind {
  const free: Place[] = [];
  return {
    ...kind,
    fresh: async () => {
      const used = free.pop();
      await used?.clear?.();
      const place = used ?? (await kind.fresh());
      whenFinished(() => void (place.clear && free.push(place)));
      return place;
    },
  };
}

export function sqlite(): Kind {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-kind-"));
  let count = 0;
  return {
    ...{ name: "SQLite", dialect: "sqlite" },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
    fresh: async () => sqlitePlace(join(folder, `${count++}.sqlite`)),
  };
}

export function sqlitePlace(path: string): Place {
  return placeOf(`sqlite:${path}`, async (text, values) => {
    const file = new DatabaseSync(path, { timeout: 5_000 });
    try {
      const named = values.map((value, n) => [`$${n + 1}`, value as SQLInputValue]);
      return file.prepare(text).all(Object.fromEntries(named));
    } finally {
      file.close();
    }
  });
}

export function postgres(): Kind {
  let server: Promise<DatabaseServer> | undefined;
  let count = 0;
  return {
    ...{ name: "PostgreSQL", dialect: "postgres" },
    stop: async () => (await server)?.stop(),
    fresh: async () => {
      server ??= startPostgres(["fsync=off", "shared_buffers=16MB"]);
      const { url } = await server;
      const name = `d${count++}`;
      await queryPostgres(url, `create database ${name}`);
      return postgresPlace(url.replace("/postgres", `/${name}`));
    },
  };
}

/** The schema stays, because to make it anew takes longer than most tests. */
const clear = `do $$ declare names text; begin
  select string_agg(quote_ident(tablename), ', ') into names from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%';
  if names is not null then execute 'truncate ' || names || ' restart identity cascade'; end if;
end $$`;

export function postgresPlace(url: string): Place {
  const query = (text: string, values: readonly unknown[]) => queryPostgres(url, text, values);
  return { ...placeOf(url, query), clear: async () => void (await query(clear, [])) };
}

function placeOf(
  url: string,
  query: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>,
): Place {
  return {
    url,
    query: (text, values = []) => query(text, values),
    get: async (key) => {
      const [row] = await query("select value from keyv where key = $1", [key]);
      return row && String(row.value);
    },
    put: async (key, text) => {
      const put = `insert into keyv (key, value) values ($1, $2)
        on conflict (key) do update set value = excluded.value, expires_at = null`;
      await query(put, [key, text]);
    },
    all: async () => {
      const rows = await query("select key, value from keyv order by key", []);
      return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
    },
  };
}

async function queryPostgres(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
