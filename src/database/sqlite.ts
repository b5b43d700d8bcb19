import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { CompiledQuery, QueryResult } from "kysely";
import { type Cache, createCache } from "../cache.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { createServerErasedError, createTransactionOverError, toDatabaseError } from "./failure.ts";
import { isSqliteBusy, readSqliteErrorCode, sqliteBusyMs, sqliteRetryMs } from "./sqlite-file.ts";

const mostStatements = 500;
/** The length of the log is read only this often, because that costs as much as a short statement. */
const lookEveryUses = 16;
/** After this long other work gets a turn. */
const mostBusyMs = 10;

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const foreignKey = 787;

/** One connection, which one user holds at a time, so that nobody else's statement ends up in a transaction. */
export class SqliteDriver {
  /** As a writer from the start: a reader that begins to write is refused if somebody else wrote meanwhile. */
  readonly begin = "BEGIN IMMEDIATE";
  readonly #file: DatabaseSync;
  readonly #checkpoints: Checkpoints;
  readonly #statements = createCache<PreparedStatement>({ maxSize: mostStatements });
  #isWaiting = true;
  #uses = 0;
  #last: Promise<void> = Promise.resolve();
  /** How many users hold the connection or wait for it, and since when other work had no turn. */
  #users = 0;
  #busySince = 0;

  constructor(file: DatabaseSync, path: string) {
    this.#file = file;
    this.#checkpoints = createCheckpoints(file, path);
  }

  async acquireConnection(): Promise<SqliteConnection> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    if (this.#users === 0) this.#busySince = performance.now();
    this.#users += 1;
    await before;
    if (performance.now() - this.#busySince > mostBusyMs) {
      // A statement ends in the turn of the event loop in which it began, so many waiting statements would all run in one turn.
      await nextTurn();
      this.#busySince = performance.now();
    }
    return new SqliteConnection(this.#file, this.#statements, () => {
      this.#uses += 1;
      if (this.#uses % lookEveryUses === 0) this.#checkpoints.look();
      this.#users -= 1;
      resolve();
    });
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
      throw toDatabaseError(error);
    }
  }

  async destroy(): Promise<void> {
    await this.#last;
    this.#statements.clear();
    if (this.#file.isOpen) this.#file.close();
    await this.#checkpoints.close();
  }
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

export class SqliteConnection {
  readonly #file: DatabaseSync;
  readonly #statements: Cache<PreparedStatement>;
  readonly #onRelease: () => void;
  #isReleased = false;
  isInTransaction = false;

  constructor(file: DatabaseSync, statements: Cache<PreparedStatement>, onRelease: () => void) {
    this.#file = file;
    this.#statements = statements;
    this.#onRelease = onRelease;
  }

  /** SQLite itself has rolled back what a full disk or a disk error ended. */
  get needsRollback(): boolean {
    return this.#file.isTransaction;
  }

  release(): void {
    this.#isReleased = true;
    this.#onRelease();
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + sqliteBusyMs;
    for (;;) {
      const isOver = this.#isReleased || (this.isInTransaction && !this.#file.isTransaction);
      if (isOver) throw toDatabaseError(createTransactionOverError());
      try {
        return this.#execute<R>(sql, parameters);
      } catch (error) {
        if (readSqliteErrorCode(error) === foreignKey) throw createServerErasedError(error);
        if (!isSqliteBusy(error) || this.#file.isTransaction || performance.now() > deadline) {
          throw toDatabaseError(error);
        }
        await wait(sqliteRetryMs * (0.5 + Math.random()));
      }
    }
  }

  #execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.#file.prepare(sql);
      prepared = { statement, hasRows: statement.columns().length > 0 };
      this.#statements.set(sql, prepared);
    }
    const { statement, hasRows } = prepared;
    const values = parameters as readonly SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }
}
