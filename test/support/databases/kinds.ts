import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { openDatabase } from "../../../src/database/index.ts";
import {
  query as queryPostgres,
  type SharedServer,
  sharedServer,
  startSharedServer,
} from "./shared-server.ts";

/** A database, and direct access to its rows. */
export interface Place {
  readonly url: string;
  /** Runs one statement; its values are `$1`, `$2` and so on. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A value in the table `keyv`, by a key such as `credential:111111111111111111:video-key`. */
  get(key: string): Promise<string | undefined>;
  /** Sets a value that does not expire, replacing one that exists. */
  put(key: string, text: string): Promise<void>;
  /** Every value in `keyv` as it is stored, by its key. */
  all(): Promise<ReadonlyMap<string, string>>;
  /** Empties the database, for kinds where that is faster than making another. */
  clear?(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** A kind of database that the bot runs on. */
export interface Kind {
  readonly name: string;
  readonly dialect: "sqlite" | "postgres";
  /** A database with all tables but no rows. It is a copy, because making tables takes longer than most tests. */
  fresh(): Promise<Place>;
  /** A database without tables. */
  empty(): Promise<Place>;
  stop(): Promise<void>;
}

/** The same kind, but a test gets the emptied database of a test that has finished. */
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
  const empty = async () => sqlitePlace(join(folder, `${count++}.sqlite`));
  return {
    name: "SQLite",
    dialect: "sqlite",
    empty,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
    fresh: async () => {
      const place = await empty();
      migrated ??= migratedFile(folder);
      writeFileSync(place.url.slice("sqlite:".length), await migrated, { mode: 0o600 });
      return place;
    },
  };
}

let migrated: Promise<Uint8Array> | undefined;

async function migratedFile(folder: string): Promise<Uint8Array> {
  const path = join(folder, "migrated.sqlite");
  const database = await openDatabase({ url: `sqlite:${path}` });
  await database.close();
  return readFileSync(path);
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
  let own: Promise<SharedServer> | undefined;
  const names: string[] = [];

  async function server(): Promise<string> {
    const shared = await sharedServer();
    if (shared !== undefined) return shared;
    own ??= startSharedServer();
    return (await own).url;
  }

  async function copy(template: string): Promise<Place> {
    const url = await server();
    const name = `d${randomBytes(8).toString("hex")}`;
    names.push(name);
    const create = `create database ${name} template ${template} strategy file_copy`;
    await queryPostgres(`${url}/postgres`, create);
    return postgresPlace(`${url}/${name}`);
  }

  return {
    name: "PostgreSQL",
    dialect: "postgres",
    fresh: () => copy("migrated"),
    empty: () => copy("template0"),
    stop: async () => {
      if (own !== undefined) return (await own).stop();
      for (const name of names.splice(0)) {
        await queryPostgres(`${await server()}/postgres`, `drop database ${name} with (force)`);
      }
    },
  };
}

/** Faster than creating the tables again or truncating them. */
const clear = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select quote_ident(tablename) from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%'
  loop execute 'delete from ' || name; end loop;
  perform setval(quote_ident(sequencename)::regclass, 1, false) from pg_sequences
    where schemaname = 'public';
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
