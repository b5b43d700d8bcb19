import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { BotError } from "../errors.ts";
import {
  createGuildErasedError,
  createTransactionOverError,
  databaseErrorCodeOf,
  describeDatabaseFailure,
} from "./failure.ts";

/** Longer than a busy server takes, shorter than a person waits. */
const answerMs = 5_000;
/** How long one statement of an erasure or a migration may take. */
const longMs = 300_000;
/** To open a connection, and to wait for a free one from a server that answers nobody. */
const connectMs = answerMs - 1_000;
/** The longest wait for a free connection while the server answers others. */
const turnMs = 30_000;
const maxConnections = 8;
const idleMs = 60_000;

const foreignKeyViolation = "23503";

/** Loads the driver, which a start on SQLite does not need. @throws nothing yet: the first statement connects. */
export async function openPool(url: string): Promise<pg.Pool> {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  // Times and counts are whole numbers below 2^53.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: "greenroom",
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    max: maxConnections,
    types,
  });
  // This reports that an idle connection was lost; the next call opens another.
  pool.on("error", () => undefined);
  return pool;
}

interface ConnectionWaiter {
  take(): void;
}

/**
 * Queries beyond the number of connections wait here and not in the pool, which would count the wait for a busy server as
 * a failure: a waiter gives up when the server has answered nobody for a while.
 */
export class PostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #waiting = new Set<ConnectionWaiter>();
  #free = maxConnections;
  #answeredAt = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      const onAnswer = () => {
        this.#answeredAt = performance.now();
      };
      return new PostgresConnection(await this.#pool.connect(), onAnswer);
    } catch (error) {
      this.#passOn();
      throw describeDatabaseFailure(error);
    }
  }

  /** Resolves with a connection's place, in order. @throws as a server that does not answer */
  #turn(): Promise<void> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const waiter: ConnectionWaiter = {
        take: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve();
        },
      };
      const check = () => {
        const now = performance.now();
        const end = Math.min(Math.max(since, this.#answeredAt) + connectMs, since + turnMs);
        if (now < end) {
          timer = setTimeout(check, Math.ceil(end - now));
          return;
        }
        this.#waiting.delete(waiter);
        reject(describeDatabaseFailure(new Error("no connection became free in time")));
      };
      this.#waiting.add(waiter);
      check();
    });
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next.take();
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("BEGIN"));
    connection.isInTransaction = true;
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    connection.isInTransaction = false;
    await connection.executeQuery(CompiledQuery.raw("COMMIT"));
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    if (connection.isBroken) return;
    await connection.executeQuery(CompiledQuery.raw("ROLLBACK"));
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
    this.#passOn();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #onAnswer: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #isReleased = false;
  isBroken = false;
  isInTransaction = false;

  constructor(client: pg.PoolClient, onAnswer: () => void) {
    this.#client = client;
    this.#onAnswer = onAnswer;
    client.on("error", this.#onError);
  }

  readonly #onError = () => {
    this.isBroken = true;
  };

  /** One after the other: the queries of a transaction share its connection. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.#last.then(() => this.#execute<R>(query));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isReleased) throw describeDatabaseFailure(createTransactionOverError());
    try {
      const { rows, rowCount, command } = await this.#client.query({
        text: sql,
        values: [...parameters],
        query_timeout: longStatements.test(sql) ? longMs : answerMs,
      } as pg.QueryConfig);
      this.#onAnswer();
      const numAffectedRows = BigInt(rowCount ?? 0);
      return command === "SELECT" ? { rows } : { rows, numAffectedRows };
    } catch (error) {
      throw this.#described(error, sql);
    }
  }

  #described(error: unknown, sql: string): BotError {
    const code = databaseErrorCodeOf(error);
    if (isAnswer(code)) this.#onAnswer();
    if (code === foreignKeyViolation) return createGuildErasedError(error);
    if (isAnswer(code)) return describeDatabaseFailure(error);
    // The connection may still be busy with the query, or be gone, and a write may have been done.
    this.isBroken = true;
    const isRead = /^\s*(?:select|begin|rollback)\b/iu.test(sql);
    return describeDatabaseFailure(error, isRead || this.isInTransaction ? "nothing" : "unknown");
  }

  release(): void {
    this.#isReleased = true;
    this.#client.off("error", this.#onError);
    this.#client.release(this.isBroken);
  }

  async *streamQuery(): AsyncGenerator<never> {
    yield* [];
    throw new Error("results are read by pages");
  }
}

export function postgresDialect(driver: Driver): KyselyDialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Statements that change a table, remove all rows of a server, watch or feed, or wait for another process's migrations.
 * All others get the short limit, so that they fail soon when the server no longer answers.
 */
const longStatements =
  /^\s*(?:create|alter|delete from "(?:servers|watches|feeds)")|pg_advisory_lock/u;

/**
 * Whether the code is an SQLSTATE, and so the server's answer. Those for a connection that broke while the server worked do
 * not count.
 */
function isAnswer(code: string): boolean {
  return (
    /^[0-9A-Z]{5}$/u.test(code) && !code.startsWith("08") && code !== "57P01" && code !== "57P02"
  );
}
