import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../../../src/database/index.ts";
import { freePort } from "../free-port.ts";
import { findPostgres, startPostgres } from "./postgres-server.ts";

/** A PostgreSQL server that no test kills, with a database `migrated` to be copied. */
export type SharedServer = Awaited<ReturnType<typeof startSharedServer>>;

const variable = "GREENROOM_TEST_POSTGRES";
const settings = [
  ...["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0"],
  ...["shared_buffers=64MB", "max_connections=400", "autovacuum=off"],
];
const startMs = 60_000;

/** Starts the server once for all projects of a run. It returns at once, so files that need no database do not wait. */
export async function startForAll(): Promise<(() => Promise<void>) | undefined> {
  if (findPostgres() === undefined || process.env[variable] !== undefined) return undefined;
  const port = await freePort();
  process.env[variable] = addressOf(port);
  const starting = startSharedServer(port);
  starting.catch(() => undefined);
  return async () => (await starting).stop();
}

let ready: Promise<string> | undefined;

/** The server's address once it is ready; undefined if none was started, as in a bench or a soak. */
export async function sharedServer(): Promise<string | undefined> {
  const url = process.env[variable];
  if (url !== undefined) ready ??= untilReady(url);
  return ready;
}

async function untilReady(url: string): Promise<string> {
  const ends = performance.now() + startMs;
  const look = async () => {
    const text = "select from pg_database where datname = 'migrated'";
    return (await query(`${url}/postgres`, text)).length > 0;
  };
  while (!(await look().catch(() => false))) {
    if (performance.now() > ends) throw new Error("the PostgreSQL of all tests did not start");
    await wait(20);
  }
  return url;
}

export async function startSharedServer(port?: number) {
  const server = await startPostgres(settings, port);
  const url = addressOf(server.port);
  await query(server.url, "create database migrating");
  const database = await openDatabase({ url: `${url}/migrating` });
  await database.close();
  await query(server.url, "alter database migrating rename to migrated");
  return {
    /** An address without the name of a database. */
    url,
    stop: server.stop,
  };
}

function addressOf(port: number): string {
  return `postgres://greenroom@127.0.0.1:${port}`;
}

/** Runs one statement in a connection of its own. */
export async function query(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
