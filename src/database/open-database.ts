import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { isPostgresUrl, refuseUnusable, requireSqlitePath } from "./failure.ts";
import { migrateDatabase } from "./migrate.ts";
import { openPool, PostgresDriver } from "./postgres.ts";
import type { Dialect, Tables } from "./schema.ts";
import { createServers } from "./servers.ts";
import { SqliteDriver } from "./sqlite.ts";
import { lockSqliteFile, openSqliteFile } from "./sqlite-file.ts";
import { createTransactions } from "./transactions.ts";

export interface OpenDatabaseOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  /** In place of the database's own clock. */
  readonly now?: (() => number) | undefined;
  /**
   * Refuses a SQLite file that another process uses which was opened so too, after waiting a few seconds for it to end. For the
   * bot, of which one process can use such a file; its command-line programs work beside it.
   */
  readonly isAlone?: boolean | undefined;
  /** Called with a warning about the database, in words for the log. */
  readonly onWarning?: ((what: string) => void) | undefined;
}

const clockEveryMs = 60_000;

/**
 * Opens the database and brings its schema up to date; a SQLite file is made on first use.
 * @throws ConfigError `store_url`, `store_file`, `store_in_use`, `store_newer`, `store_former` or `store_server`, whose fact
 * `mayPass` says that the server may only not be there yet.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, onWarning = () => undefined } = options;
  const { driver, unlock } = await refuseUnusable(url, () => openDriver(options));
  const sqlite = driver instanceof SqliteDriver ? driver : undefined;
  const waitingMs = driver instanceof PostgresDriver ? () => driver.waitingMs() : () => 0;
  const dialect: Dialect = sqlite === undefined ? "postgres" : "sqlite";
  const { withoutForeignKeys, ...queries } = createTransactions(driver);
  const { db, transaction, isInTransaction } = queries;
  const clock = options.now === undefined && dialect === "postgres" ? createClock(db) : undefined;
  const now = clock?.now ?? options.now ?? (() => Date.now());
  const base = {
    ...queries,
    dialect,
    now,
    waitingMs,
    skipLocked: dialect === "postgres" ? sql`for update skip locked` : sql``,
    after: (ms: number) =>
      clock === undefined ? sql<number>`${now() + ms}` : sql<number>`(${serverTime} + ${ms})`,
    settled: async () => sqlite?.settled(),
    wipe: async () => {
      if (!isInTransaction()) await sqlite?.wipe();
    },
  };
  const servers = createServers(base, withoutForeignKeys);
  const close = async () => {
    clock?.stop();
    await db.destroy();
    unlock();
  };
  try {
    await refuseUnusable(url, async () => {
      if (dialect === "postgres") await checkServer(db, onWarning);
      await migrateDatabase(db, { dialect, url, onWarning });
      await clock?.start();
    });
    // A process may have ended while it erased something.
    await servers.removeLeftovers();
  } catch (error) {
    await close();
    throw error;
  }
  const ping = () =>
    transaction(async () => {
      const row = { key: `ping:${randomUUID()}`, server_id: null, value: "", expires_at: null };
      await db.insertInto("keyv").values(row).execute();
      await db.deleteFrom("keyv").where("key", "=", row.key).execute();
    });
  return { ...base, servers, close, ping };
}

const serverTime = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The database server's clock. Its difference to this machine's clock is measured regularly. */
function createClock(db: Kysely<Tables>) {
  let skewMs = 0;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const startedAt = Date.now();
    const { rows } = await sql<{ now: number }>`
      select ${serverTime} as now`.execute(db);
    // The time is taken as that of the moment halfway between query and answer; a slow answer is too inexact.
    const answered = Date.now();
    if (answered - startedAt >= 1_000) return;
    skewMs = Math.round((rows[0]?.now ?? answered) - (startedAt + answered) / 2);
  }

  return {
    now: () => Math.round(Date.now() + skewMs),
    start: async () => {
      await read();
      // If a query fails, the clock stays as it was.
      timer = setInterval(() => void read().catch(() => undefined), clockEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** `unlock` lets another process use the database. */
async function openDriver({ url, isAlone = false }: OpenDatabaseOptions) {
  if (isPostgresUrl(url)) {
    return { driver: new PostgresDriver(await openPool(url)), unlock: () => undefined };
  }
  const path = requireSqlitePath(url);
  const file = openSqliteFile(path);
  try {
    const unlock = isAlone && path !== ":memory:" ? await lockSqliteFile(path) : () => undefined;
    return { driver: new SqliteDriver(file, path), unlock };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function checkServer(db: Kysely<Tables>, warn: (what: string) => void): Promise<void> {
  const { rows } = await sql<{ fsync: string; commit: string; standby: boolean }>`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      pg_is_in_recovery() as standby`.execute(db);
  const [found] = rows;
  if (found?.standby === true) {
    throw Object.assign(new Error("it is a standby, which nobody can write to"), { code: "25006" });
  }
  if (found?.fsync === "off" || found?.commit === "off") {
    warn("PostgreSQL acknowledges writes before they are on disk (fsync, synchronous_commit)");
  }
}
