import { AsyncLocalStorage } from "node:async_hooks";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Database } from "./database.ts";
import { isCutOff, isUniqueConflict } from "./failure.ts";
import { type PostgresConnection, PostgresDriver } from "./postgres.ts";
import type { Tables } from "./schema.ts";
import type { SqliteConnection, SqliteDriver } from "./sqlite.ts";

const mostTries = 5;

/** PostgreSQL's codes for serialization failures and deadlocks. */
const conflicts: ReadonlySet<unknown> = new Set(["40001", "40P01"]);

/** A transaction, which is under way once it has a connection, and how its queries are run. */
interface HeldTransaction {
  connection: OpenConnection | undefined;
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
  const parts = isPostgres
    ? { Adapter: PostgresAdapter, Inspector: PostgresIntrospector, Compiler: PostgresQueryCompiler }
    : {
        Adapter: OneConnectionAdapter,
        Inspector: SqliteIntrospector,
        Compiler: SqliteQueryCompiler,
      };
  const dialect: KyselyDialect = {
    createDriver: () => joiningDriver(driver, context),
    createAdapter: () => new parts.Adapter(),
    createIntrospector: (db) => new parts.Inspector(db),
    createQueryCompiler: () => new parts.Compiler(),
  };
  const db = new Kysely<Tables>({ dialect });
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
        : context.run({ ...context.getStore(), ...withoutDisk, isUrgent: true }, work),
    /** A later write that waits for the disk waits for these too, because they are before it in the same log. */
    withoutDiskWait: (work) =>
      isInTransaction() ? work() : context.run({ ...context.getStore(), ...withoutDisk }, work),
  };
}

/** For work outside a transaction, so that `calls` stays empty: each transaction has its own. */
const withoutDisk: HeldTransaction = { connection: undefined, calls: [], skipsDisk: true };

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
      const { cause } = error as { readonly cause?: { readonly code?: unknown } };
      const isConflict = isUniqueConflict(error) || conflicts.has(cause?.code);
      if (tries >= mostTries || !(isConflict || isCutOff(error))) throw error;
    }
  }
}

class OneConnectionAdapter extends SqliteAdapter {
  /** The driver itself makes users wait for the one connection, because a transaction's own queries don't wait for it. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** So that a migration happens completely or not at all, and of two processes that start at once one waits. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

type OpenConnection = SqliteConnection | PostgresConnection;

/** A connection as kysely uses it. A transaction's queries all get that of the transaction, and only its own is released. */
class JoinedConnection implements DatabaseConnection {
  readonly open: OpenConnection;
  readonly isOwn: boolean;

  constructor(open: OpenConnection, isOwn: boolean) {
    this.open = open;
    this.isOwn = isOwn;
  }

  executeQuery<R>(query: CompiledQuery) {
    return this.open.executeQuery<R>(query);
  }

  async *streamQuery(): AsyncGenerator<never> {
    yield* [];
    throw new Error("results are read by pages");
  }
}

/** A driver whose connections are the transaction's own while one is under way. */
function joiningDriver(
  driver: SqliteDriver | PostgresDriver,
  context: AsyncLocalStorage<HeldTransaction>,
): Driver {
  const run = (connection: OpenConnection, statement: string) =>
    connection.executeQuery(CompiledQuery.raw(statement));
  const end = async (open: OpenConnection, statement: "COMMIT" | "ROLLBACK") => {
    const store = context.getStore();
    if (store?.connection === open) store.connection = undefined;
    open.isInTransaction = false;
    if (statement === "COMMIT" || open.needsRollback) await run(open, statement);
    if (store?.isUnchecked) await run(open, "PRAGMA foreign_keys = ON");
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const store = context.getStore();
      if (store?.connection !== undefined) return new JoinedConnection(store.connection, false);
      const open = await driver.acquireConnection({ isUrgent: store?.isUrgent });
      if ("waitForDisk" in driver) driver.waitForDisk(store?.skipsDisk !== true);
      return new JoinedConnection(open, true);
    },
    beginTransaction: async (connection) => {
      const { open } = connection as JoinedConnection;
      const store = context.getStore();
      // SQLite changes this setting only between transactions.
      if (store?.isUnchecked) await run(open, "PRAGMA foreign_keys = OFF");
      try {
        await run(open, driver.begin);
      } catch (error) {
        if (store?.isUnchecked) await run(open, "PRAGMA foreign_keys = ON");
        throw error;
      }
      open.isInTransaction = true;
      if (store !== undefined) store.connection = open;
    },
    commitTransaction: (connection) => end((connection as JoinedConnection).open, "COMMIT"),
    rollbackTransaction: (connection) => end((connection as JoinedConnection).open, "ROLLBACK"),
    releaseConnection: async (connection) => {
      const { open, isOwn } = connection as JoinedConnection;
      if (isOwn) open.release();
    },
    destroy: () => driver.destroy(),
  };
}
