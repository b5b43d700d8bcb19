import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from "kysely";
import type { Database } from "./database.ts";
import { isCutOff, isUniqueConflict } from "./failure.ts";
import { type AcquireOptions, PostgresDriver, postgresDialect } from "./postgres.ts";
import type { Tables } from "./schema.ts";
import { type SqliteDriver, sqliteDialect } from "./sqlite.ts";

const mostTries = 5;

/** PostgreSQL's codes for serialization failures and deadlocks. */
const conflicts: ReadonlySet<unknown> = new Set(["40001", "40P01"]);

/** A transaction, which is under way once it has a connection, and how its queries are run. */
interface HeldTransaction {
  connection: DatabaseConnection | undefined;
  readonly calls: (() => void)[];
  /** SQLite does not check foreign keys in it. */
  readonly isUnchecked?: boolean;
  /** SQLite does not wait for the disk. */
  readonly skipsDisk?: boolean | undefined;
  /** It goes before others that wait for a connection. */
  readonly isUrgent?: boolean | undefined;
}

interface Transactions
  extends Pick<
    Database,
    "db" | "transaction" | "isInTransaction" | "afterCommit" | "withoutDiskWait" | "urgently"
  > {
  /** A transaction in which SQLite does not delete rows along with those that they refer to. */
  withoutForeignKeys: Database["transaction"];
}

/** Queries over a driver. While a transaction is under way, they are part of it, wherever they are run. */
export function createTransactions(driver: SqliteDriver | PostgresDriver): Transactions {
  const context = new AsyncLocalStorage<HeldTransaction>();
  const isPostgres = driver instanceof PostgresDriver;
  const dialect = isPostgres ? postgresDialect : sqliteDialect;
  const db = new Kysely<Tables>({ dialect: dialect(joiningDriver(driver, context)) });
  const isInTransaction = () => context.getStore()?.connection !== undefined;
  return {
    db,
    isInTransaction,
    transaction: (work) => inTransaction(db, context, { work }),
    withoutForeignKeys: (work) => inTransaction(db, context, { work, isUnchecked: !isPostgres }),
    afterCommit: (call) => {
      if (isInTransaction()) context.getStore()?.calls.push(call);
      else call();
    },
    urgently: (work) =>
      isInTransaction()
        ? work()
        : context.run({ ...context.getStore(), ...withoutDisk(), isUrgent: true }, work),
    /** A later write that waits for the disk waits for these too, because they are before it in the same log. */
    withoutDiskWait: (work) =>
      isInTransaction() ? work() : context.run({ ...context.getStore(), ...withoutDisk() }, work),
  };
}

const withoutDisk = () => ({ connection: undefined, calls: [], skipsDisk: true });

async function inTransaction<T>(
  db: Kysely<Tables>,
  context: AsyncLocalStorage<HeldTransaction>,
  { work, isUnchecked = false }: { work: () => Promise<T>; isUnchecked?: boolean },
): Promise<T> {
  if (context.getStore()?.connection !== undefined) return work();
  for (let tries = 1; ; tries += 1) {
    try {
      const outer = context.getStore();
      const held: HeldTransaction = { ...outer, connection: undefined, calls: [], isUnchecked };
      const result = await context.run(held, () => db.transaction().execute(work));
      for (const call of held.calls) call();
      return result;
    } catch (error) {
      if (tries >= mostTries || !(isConflict(error) || isCutOff(error))) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return isUniqueConflict(error) || conflicts.has(cause?.code);
}

/** A transaction's connection as one of its queries gets it: releasing it does nothing. */
class JoinedConnection implements DatabaseConnection {
  readonly executeQuery: DatabaseConnection["executeQuery"];
  readonly streamQuery: DatabaseConnection["streamQuery"];

  constructor(connection: DatabaseConnection) {
    this.executeQuery = (query) => connection.executeQuery(query);
    this.streamQuery = (query, chunkSize) => connection.streamQuery(query, chunkSize);
  }
}

interface JoinableDriver {
  waitForDisk?(isWaiting: boolean): void;
  acquireConnection(options?: AcquireOptions): Promise<DatabaseConnection>;
}

/** A driver whose connections are the transaction's own while one is under way. */
function joiningDriver(
  driver: Driver & JoinableDriver,
  context: AsyncLocalStorage<HeldTransaction>,
): Driver {
  const held = () => context.getStore();
  const end = (connection: DatabaseConnection) => {
    const store = held();
    if (store?.connection === connection) store.connection = undefined;
  };
  /** SQLite changes this setting only between transactions. */
  const setForeignKeys = async (connection: DatabaseConnection, value: "ON" | "OFF") => {
    if (held()?.isUnchecked !== true) return;
    await connection.executeQuery(CompiledQuery.raw(`PRAGMA foreign_keys = ${value}`));
  };
  return {
    init: () => driver.init(),
    acquireConnection: async () => {
      const store = held();
      if (store?.connection !== undefined) return new JoinedConnection(store.connection);
      const connection = await driver.acquireConnection({ isUrgent: store?.isUrgent });
      driver.waitForDisk?.(store?.skipsDisk !== true);
      return connection;
    },
    beginTransaction: async (connection, settings) => {
      await setForeignKeys(connection, "OFF");
      try {
        await driver.beginTransaction(connection, settings);
      } catch (error) {
        await setForeignKeys(connection, "ON");
        throw error;
      }
      const store = held();
      if (store !== undefined) store.connection = connection;
    },
    commitTransaction: async (connection) => {
      end(connection);
      await driver.commitTransaction(connection);
      await setForeignKeys(connection, "ON");
    },
    rollbackTransaction: async (connection) => {
      end(connection);
      await driver.rollbackTransaction(connection);
      await setForeignKeys(connection, "ON");
    },
    releaseConnection: async (connection) => {
      if (!(connection instanceof JoinedConnection)) await driver.releaseConnection(connection);
    },
    destroy: () => driver.destroy(),
  };
}
