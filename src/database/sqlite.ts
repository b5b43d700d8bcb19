import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { type Cache, createCache } from "../cache.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { describeDatabaseFailure, guildErased, transactionOver } from "./failure.ts";
import { busyMs, errcodeOf, isBusy, stepMs } from "./sqlite-file.ts";

const mostStatements = 500;
/** To ask how long the log is costs as much as a short statement. */
const lookEveryUses = 16;
/** Other work gets its turn after so long. */
const mostBusyMs = 10;

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const foreignKey = 787;

/** One connection, and whoever uses it has it alone: a statement of somebody else's must not end up in a transaction. */
export class SqliteDriver implements Driver {
  readonly #file: DatabaseSync;
  readonly #checkpoints: Checkpoints;
  readonly #statements = createCache<Prepared>({ maxSize: mostStatements });
  #isWaiting = true;
  #uses = 0;
  #last: Promise<void> = Promise.resolve();
  /** Those that have the connection or wait for it, and since when there are some without a turn for others. */
  #users = 0;
  #busySince = 0;

  constructor(file: DatabaseSync, path: string) {
    this.#file = file;
    this.#checkpoints = createCheckpoints(file, path);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    if (this.#users === 0) this.#busySince = performance.now();
    this.#users += 1;
    await before;
    if (performance.now() - this.#busySince > mostBusyMs) await this.#yieldTurn();
    return new SqliteConnection(this.#file, this.#statements, () => {
      this.#users -= 1;
      resolve();
    });
  }

  /** Statements end in the turn of the event loop that they began in: of many that wait, all would be one turn. */
  async #yieldTurn(): Promise<void> {
    await nextTurn();
    this.#busySince = performance.now();
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    // As a writer from the beginning: a reader that begins to write is refused when somebody else wrote meanwhile.
    await connection.executeQuery(CompiledQuery.raw("BEGIN IMMEDIATE"));
    connection.isInTransaction = true;
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.isInTransaction = false;
    await connection.executeQuery(CompiledQuery.raw("COMMIT"));
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.isInTransaction = false;
    // SQLite itself rolls back what a full disk or a fault of it ended.
    if (this.#file.isTransaction) await connection.executeQuery(CompiledQuery.raw("ROLLBACK"));
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    this.#uses += 1;
    if (this.#uses % lookEveryUses === 0) this.#checkpoints.look();
    connection.release();
  }

  /** Whether the commits of whoever has the connection wait for the disk. */
  waitForDisk(isWaiting: boolean): void {
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    this.#file.exec(`PRAGMA synchronous = ${isWaiting ? "FULL" : "NORMAL"}`);
  }

  settled(): Promise<void> {
    return this.#checkpoints.settled();
  }

  /** @throws ServiceError `store_unavailable`. */
  async wipe(): Promise<void> {
    try {
      await this.#checkpoints.copy();
      const connection = await this.acquireConnection();
      await this.#checkpoints.empty().finally(() => connection.release());
    } catch (error) {
      throw describeDatabaseFailure(error);
    }
  }

  async destroy(): Promise<void> {
    await this.#last;
    this.#statements.clear();
    if (this.#file.isOpen) this.#file.close();
    await this.#checkpoints.close();
  }
}

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSync;
  readonly #statements: Cache<Prepared>;
  readonly #onRelease: () => void;
  #isReleased = false;
  isInTransaction = false;

  constructor(file: DatabaseSync, statements: Cache<Prepared>, onRelease: () => void) {
    this.#file = file;
    this.#statements = statements;
    this.#onRelease = onRelease;
  }

  release(): void {
    this.#isReleased = true;
    this.#onRelease();
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + busyMs;
    for (;;) {
      if (this.#isOver()) throw describeDatabaseFailure(transactionOver());
      try {
        return this.#execute<R>(sql, parameters);
      } catch (error) {
        if (errcodeOf(error) === foreignKey) throw guildErased(error);
        if (!isBusy(error) || this.#file.isTransaction || performance.now() > deadline) {
          throw describeDatabaseFailure(error);
        }
        await wait(stepMs * (0.5 + Math.random()));
      }
    }
  }

  #isOver(): boolean {
    return this.#isReleased || (this.isInTransaction && !this.#file.isTransaction);
  }

  #execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, hasRows } = this.#prepared(sql);
    const values = parameters as readonly SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#file.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async *streamQuery(): AsyncGenerator<never> {
    yield* [];
    throw new Error("results are read by pages");
  }
}

class SharedAdapter extends SqliteAdapter {
  /** Waiting for the one connection is the driver's affair, because a transaction's own queries don't wait for it. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** So that a migration happens whole or not at all, and of two processes that start at once one waits. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export function sqliteDialect(driver: Driver): KyselyDialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new SharedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
