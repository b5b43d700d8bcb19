import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from "kysely";
import type { Database } from "./open-database.ts";
import { PostgresDriver, postgresDialect } from "./postgres.ts";
import type { Tables } from "./schema.ts";
import { type SqliteDriver, sqliteDialect } from "./sqlite.ts";

const mostTries = 5;

/** Two writers met: SQLite's unique keys, PostgreSQL's unique keys, serialization failures and deadlocks. */
const conflicts: ReadonlySet<unknown> = new Set([1555, 2067, "23505", "40001", "40P01"]);

/** A transaction that is under way, once it has a connection, and how its queries are done. */
interface Held {
  connection: DatabaseConnection | undefined;
  readonly calls: (() => void)[];
  /** SQLite looks after no foreign keys in it. */
  readonly isUnchecked?: boolean;
  /** SQLite does not wait for the disk. */
  readonly isHurried?: boolean | undefined;
}

interface Transactions extends Pick<Database, "db" | "transaction" | "afterCommit" | "hurriedly"> {
  isUnderWay(): boolean;
  /** SQLite does not take rows with what they hang on. */
  withoutForeignKeys: Database["transaction"];
}

/** Queries over a driver, which are part of the transaction that is under way wherever they are run. */
export function createTransactions(driver: SqliteDriver | PostgresDriver): Transactions {
  const context = new AsyncLocalStorage<Held>();
  const isPostgres = driver instanceof PostgresDriver;
  const dialect = isPostgres ? postgresDialect : sqliteDialect;
  const db = new Kysely<Tables>({ dialect: dialect(joining(driver, context)) });
  const isUnderWay = () => context.getStore()?.connection !== undefined;
  return {
    ...{ db, isUnderWay },
    transaction: (work) => inTransaction(db, context, { work }),
    withoutForeignKeys: (work) => inTransaction(db, context, { work, isUnchecked: !isPostgres }),
    afterCommit: (call) => {
      if (isUnderWay()) context.getStore()?.calls.push(call);
      else call();
    },
    /** What is waited for later waits for these writes too, because they lie before it in the same log. */
    hurriedly: (work) =>
      isUnderWay()
        ? work()
        : context.run({ connection: undefined, calls: [], isHurried: true }, work),
  };
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
