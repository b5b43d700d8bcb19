import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { migrate } from "./migrate.ts";
import { openPool, PostgresDriver } from "./postgres.ts";
import type { Dialect, Tables } from "./schema.ts";
import { createServers, type Servers } from "./servers.ts";
import { SqliteDriver } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { createTransactions } from "./transactions.ts";
import { isPostgres, refuseUnusable, sqlitePath } from "./unusable.ts";

export interface Database {
  readonly dialect: Dialect;
  /**
   * Builds and runs queries. Inside `transaction` they are part of it, whoever runs them. All of them throw ServiceError
   * `store_unavailable`, and `guild_erased` for a row whose server, watch or feed is gone.
   */
  readonly db: Kysely<Tables>;
  /**
   * All of the work's queries happen, or none; nobody, in this process or another, comes between. Part of a transaction
   * that is under way, where there is one. The work may be called several times, and must do nothing but queries.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The work's queries and transactions don't wait for the disk, for what is merely done once more where a power cut takes it
   * back: on SQLite the whole process stands still for each wait. A transaction that is under way waits nevertheless.
   */
  hurriedly<T>(work: () => Promise<T>): Promise<T>;
  /** Calls once the transaction that is under way is committed, never where it is not; at once where there is none. */
  afterCommit(call: () => void): void;
  /** Milliseconds since the epoch, by the database's clock: the same for all processes that share it. */
  now(): number;
  readonly servers: Servers;
  /** For who writes page after page: over once SQLite's log, where it has become long, is copied into its file. */
  settled(): Promise<void>;
  /**
   * Takes what was deleted or replaced out of the log too, as far as nobody still reads it there; does nothing within a
   * transaction. @throws ServiceError `store_unavailable`.
   */
  wipe(): Promise<void>;
  /** Writes, reads and removes a row. @throws ServiceError `store_unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** In place of the database's own clock. */
  readonly now?: (() => number) | undefined;
  /** Told what is doubtful about a database server, in words for the log. */
  readonly onWarning?: ((what: string) => void) | undefined;
}

/** How often PostgreSQL is asked what time it is. */
const clockEveryMs = 60_000;

/**
 * Opens the database and brings its schema up to date; its file is made on first use.
 * @throws ConfigError `store_url`, `store_file`, `store_newer`, `store_former` or `store_server`, whose fact `mayPass` says
 * that the server may only not be there yet.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, onWarning = () => undefined } = options;
  const driver = await refuseUnusable(url, () => openDriver(url));
  const sqlite = driver instanceof SqliteDriver ? driver : undefined;
  const dialect: Dialect = sqlite === undefined ? "postgres" : "sqlite";
  const { isUnderWay, withoutForeignKeys, ...queries } = createTransactions(driver);
  const { db, transaction } = queries;
  const clock = options.now === undefined && dialect === "postgres" ? createClock(db) : undefined;
  const base = {
    ...{ ...queries, dialect },
    now: clock?.now ?? options.now ?? (() => Date.now()),
    settled: async () => sqlite?.settled(),
    wipe: async () => {
      if (!isUnderWay()) await sqlite?.wipe();
    },
  };
  const servers = createServers({ ...base, withoutForeignKeys });
  const close = async () => {
    clock?.stop();
    await db.destroy();
  };
  try {
    await refuseUnusable(url, async () => {
      if (dialect === "postgres") await checkServer(db, onWarning);
      await migrate(db, { dialect, url });
      await clock?.start();
    });
    // Of a process that ended while it erased something.
    await servers.removeLeftovers();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...base, servers, close, ping: () => transaction(() => writeAndRemove(db)) };
}

async function writeAndRemove(db: Kysely<Tables>): Promise<void> {
  const row = { key: `ping:${randomUUID()}`, server_id: null, value: "", expires_at: null };
  await db.insertInto("keyv").values(row).execute();
  await db.deleteFrom("keyv").where("key", "=", row.key).execute();
}

/** The server's clock, asked now and then; in between this machine's own goes on. */
function createClock(db: Kysely<Tables>) {
  let skewMs = 0;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const asked = Date.now();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
    // Between the question and its answer; what a slow answer says is not worth much.
    const answered = Date.now();
    if (answered - asked >= 1_000) return;
    skewMs = Math.round((rows[0]?.now ?? answered) - (asked + answered) / 2);
  }

  return {
    now: () => Math.round(Date.now() + skewMs),
    start: async () => {
      await read();
      // An answer that fails leaves the clock as it was.
      timer = setInterval(() => void read().catch(() => undefined), clockEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

async function openDriver(url: string): Promise<SqliteDriver | PostgresDriver> {
  if (isPostgres(url)) return new PostgresDriver(await openPool(url));
  const path = sqlitePath(url);
  return new SqliteDriver(openSqliteFile(path), path);
}

async function checkServer(db: Kysely<Tables>, warn: (what: string) => void): Promise<void> {
  const { rows } = await sql<{ fsync: string; commit: string; standby: boolean }>`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      pg_is_in_recovery() as standby`.execute(db);
  const [found] = rows;
  if (found?.standby === true) throw new Error("it is a standby, which nobody can write to");
  if (found?.fsync === "off" || found?.commit === "off") {
    warn("PostgreSQL acknowledges writes before they are on disk (fsync, synchronous_commit)");
  }
}
