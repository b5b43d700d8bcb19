import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, sql } from "kysely";
import { BotError, ConfigError, NetworkError } from "../errors.ts";
import { migrate } from "./migrate.ts";
import { codeOf, openPool, PostgresDriver, postgresDialect } from "./postgres.ts";
import type { Dialect, Tables } from "./schema.ts";
import { createServers, type Servers } from "./servers.ts";
import { openSqliteFile, SqliteDriver, sqliteDialect } from "./sqlite.ts";

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
const mostTries = 5;

/** Two writers met: SQLite's unique keys, PostgreSQL's unique keys, serialization failures and deadlocks. */
const conflicts: ReadonlySet<unknown> = new Set([1555, 2067, "23505", "40001", "40P01"]);

/**
 * Opens the database and brings its schema up to date; its file is made on first use.
 * @throws ConfigError `store_url`, `store_file`, `store_server`, `store_newer` or `store_former`; NetworkError `store_server`.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, onWarning = () => undefined } = options;
  const context = new AsyncLocalStorage<Held>();
  const opened = await refuseUnusable(url, () => openDriver(url));
  const { dialect } = opened;
  const db = new Kysely<Tables>({ dialect: opened.kysely(joining(opened.driver, context)) });
  let skewMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const now = options.now ?? (() => Math.round(Date.now() + skewMs));
  const hasClock = dialect === "postgres" && options.now === undefined;

  async function readClock(): Promise<void> {
    const asked = Date.now();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
    // Between the question and its answer; what a slow answer says is not worth much.
    const answered = Date.now();
    if (answered - asked >= 1_000) return;
    skewMs = Math.round((rows[0]?.now ?? answered) - (asked + answered) / 2);
  }

  const close = async () => {
    clearInterval(timer);
    await db.destroy();
  };
  const isInTransaction = () => context.getStore()?.connection !== undefined;
  const transaction: Database["transaction"] = (work) => inTransaction(db, context, { work });
  const afterCommit: Database["afterCommit"] = (call) => {
    if (isInTransaction()) context.getStore()?.calls.push(call);
    else call();
  };
  const sqlite = opened.dialect === "sqlite" ? opened.driver : undefined;
  const wipe: Database["wipe"] = async () => {
    if (!isInTransaction()) await sqlite?.wipe();
  };
  const settled: Database["settled"] = async () => sqlite?.settled();
  /** What is waited for later waits for these writes too, because they lie before it in the same log. */
  const hurriedly: Database["hurriedly"] = (work) =>
    isInTransaction()
      ? work()
      : context.run({ connection: undefined, calls: [], isHurried: true }, work);
  const servers = createServers({
    ...{ db, dialect, now, afterCommit, hurriedly, settled, wipe },
    withoutForeignKeys: (work) =>
      inTransaction(db, context, { work, isUnchecked: dialect === "sqlite" }),
  });
  try {
    await refuseUnusable(url, async () => {
      if (dialect === "postgres") await checkServer(db, onWarning);
      await migrate(db, { dialect, url });
      if (hasClock) await readClock();
    });
    // Of a process that ended while it erased something.
    await servers.removeLeftovers();
  } catch (error) {
    await close();
    throw error;
  }
  if (hasClock) {
    // An answer that fails leaves the clock as it was.
    timer = setInterval(() => void readClock().catch(() => undefined), clockEveryMs).unref();
  }
  return {
    ...{ dialect, db, now, transaction, afterCommit, hurriedly, servers, settled, wipe, close },
    ping: () =>
      transaction(async () => {
        const row = { key: `ping:${randomUUID()}`, server_id: null, value: "", expires_at: null };
        await db.insertInto("keyv").values(row).execute();
        await db.deleteFrom("keyv").where("key", "=", row.key).execute();
      }),
  };
}

/** A transaction that is under way, once it has a connection, and how its queries are done. */
interface Held {
  connection: DatabaseConnection | undefined;
  readonly calls: (() => void)[];
  /** SQLite looks after no foreign keys in it. */
  readonly isUnchecked?: boolean;
  /** SQLite does not wait for the disk. */
  readonly isHurried?: boolean | undefined;
}

async function inTransaction<T>(
  db: Kysely<Tables>,
  context: AsyncLocalStorage<Held>,
  { work, isUnchecked = false }: { work: () => Promise<T>; isUnchecked?: boolean },
): Promise<T> {
  if (context.getStore()?.connection !== undefined) return work();
  for (let tries = 1; ; tries += 1) {
    try {
      const { isHurried } = context.getStore() ?? {};
      const held: Held = { connection: undefined, calls: [], isUnchecked, isHurried };
      const result = await context.run(held, () => db.transaction().execute(work));
      for (const call of held.calls) call();
      return result;
    } catch (error) {
      if (tries >= mostTries || !isConflict(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly errcode?: unknown; code?: unknown } };
  return conflicts.has(cause?.errcode) || conflicts.has(cause?.code);
}

/** A transaction's connection in the hands of one of its queries, which does not give it back to others. */
class Joined implements DatabaseConnection {
  readonly executeQuery: DatabaseConnection["executeQuery"];
  readonly streamQuery: DatabaseConnection["streamQuery"];

  constructor(connection: DatabaseConnection) {
    this.executeQuery = (query) => connection.executeQuery(query);
    this.streamQuery = (query, chunkSize) => connection.streamQuery(query, chunkSize);
  }
}

/** A driver whose connections are the transaction's own while one is under way. */
function joining(
  driver: Driver & { waitForDisk?(isWaiting: boolean): void },
  context: AsyncLocalStorage<Held>,
): Driver {
  const held = () => context.getStore();
  const end = (connection: DatabaseConnection) => {
    const store = held();
    if (store?.connection === connection) store.connection = undefined;
  };
  /** SQLite heeds it between transactions only. */
  const check = async (connection: DatabaseConnection, value: "ON" | "OFF") => {
    if (held()?.isUnchecked !== true) return;
    await connection.executeQuery(CompiledQuery.raw(`PRAGMA foreign_keys = ${value}`));
  };
  return {
    init: () => driver.init(),
    acquireConnection: async () => {
      const store = held();
      if (store?.connection !== undefined) return new Joined(store.connection);
      const connection = await driver.acquireConnection();
      driver.waitForDisk?.(store?.isHurried !== true);
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      await check(connection, "OFF");
      try {
        await driver.beginTransaction(connection, settings);
      } catch (error) {
        await check(connection, "ON");
        throw error;
      }
      const store = held();
      if (store !== undefined) store.connection = connection;
    },
    commitTransaction: async (connection) => {
      end(connection);
      await driver.commitTransaction(connection);
      await check(connection, "ON");
    },
    rollbackTransaction: async (connection) => {
      end(connection);
      await driver.rollbackTransaction(connection);
      await check(connection, "ON");
    },
    releaseConnection: async (connection) => {
      if (!(connection instanceof Joined)) await driver.releaseConnection(connection);
    },
    destroy: () => driver.destroy(),
  };
}

async function openDriver(url: string) {
  if (isPostgres(url)) {
    const driver = new PostgresDriver(await openPool(url));
    return { dialect: "postgres", driver, kysely: postgresDialect } as const;
  }
  const path = sqlitePath(url);
  const driver = new SqliteDriver(openSqliteFile(path), path);
  return { dialect: "sqlite", driver, kysely: sqliteDialect } as const;
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

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\/./u.test(url) && URL.canParse(url);
}

function sqlitePath(url: string): string {
  const path = /^sqlite:(.+)$/u.exec(url)?.[1];
  if (path !== undefined) return path;
  throw new ConfigError("the store's address is not one this version can open", {
    code: "store_url",
    hint: "Set STORE_URL to sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite, or to an address that starts with postgres://.",
  });
}

/** Whatever fails while a database is opened is a fault of its configuration, or a server that is not there. */
async function refuseUnusable<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const cause = error instanceof BotError ? error.cause : error;
    throw isPostgres(url) ? serverUnusable(url, cause) : fileUnusable(url, cause);
  }
}

function fileUnusable(url: string, cause: unknown): ConfigError {
  const path = sqlitePath(url);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`the store's file ${path} can't be opened: ${reason}`, {
    code: "store_file",
    hint: `Check that ${path} is a Greenroom database on a disk with space, and that this user may write it and its folder.`,
    cause,
  });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const serverHints: Readonly<Record<string, string>> = {
  "28P01":
    "Correct the user and the password in STORE_URL: postgres://user:password@host:port/database.",
  "28000": "Let this user in from this machine (pg_hba.conf), or correct the user in STORE_URL.",
  "3D000": "Make the database with createdb, or correct its name at the end of STORE_URL.",
  "42501":
    "Make this user the owner of the database, so that it may make its tables in the schema public.",
  "53300":
    "Raise max_connections, or close what else uses this server: each process of Greenroom takes up to 8.",
};

const unreachable =
  "Check that PostgreSQL runs, that STORE_URL has its host and port, and that this machine may reach it.";

/** Node's codes, and PostgreSQL's while it starts, stops, or is full: it may be there soon. */
const passing =
  /\b(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|53300|57P01|57P03)\b|timeout/u;

/** No part of it holds the address's password. */
function serverUnusable(url: string, cause: unknown): BotError {
  const { hostname, port } = new URL(url);
  const code = codeOf(cause);
  const words = cause instanceof Error ? cause.message : String(cause);
  const Kind = passing.test(`${code} ${words}`) ? NetworkError : ConfigError;
  const where = `${hostname || "localhost"}:${port || 5432}`;
  return new Kind(`the store's PostgreSQL at ${where} can't be used: ${words || code}`, {
    code: "store_server",
    hint: serverHints[code] ?? unreachable,
    cause,
  });
}
