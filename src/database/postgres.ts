import {
  type AbortableOperationOptions,
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
/** A server that takes no writes, because it became a standby. */
const readOnly = "25006";

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

export interface AcquireOptions extends AbortableOperationOptions {
  /** Goes before all others that wait for a connection. */
  readonly isUrgent?: boolean | undefined;
}

interface ConnectionWaiter {
  readonly since: number;
  take(): void;
}

/**
 * Queries beyond the number of connections wait here and not in the pool, which would count the wait for a busy server as
 * a failure: a waiter gives up when the server has answered nobody for a while.
 */
export class PostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #waiting = new Set<ConnectionWaiter>();
  /** These go first. */
  readonly #urgent = new Set<ConnectionWaiter>();
  /** Connections from before the last failure may lead to a server that is gone, or that is now a standby. */
  readonly #openedAt = new WeakMap<pg.PoolClient, number>();
  #failedAt = 0;
  #free = maxConnections;
  #answeredAt = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection({ isUrgent }: AcquireOptions = {}): Promise<PostgresConnection> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(isUrgent === true ? this.#urgent : this.#waiting);
    try {
      const client = await this.#connect();
      return new PostgresConnection(client, {
        onAnswer: () => {
          this.#answeredAt = performance.now();
        },
        onBroken: () => {
          this.#failedAt = performance.now();
        },
      });
    } catch (error) {
      this.#passOn();
      throw describeDatabaseFailure(error);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      const openedAt = this.#openedAt.get(client) ?? performance.now();
      this.#openedAt.set(client, openedAt);
      if (openedAt >= this.#failedAt) return client;
      client.release(true);
    }
  }

  /** Resolves with a connection's place, in order. @throws as a server that does not answer */
  #turn(queue: Set<ConnectionWaiter>): Promise<void> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const waiter: ConnectionWaiter = {
        since,
        take: () => {
          clearTimeout(timer);
          queue.delete(waiter);
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
        queue.delete(waiter);
        reject(describeDatabaseFailure(new Error("no connection became free in time")));
      };
      queue.add(waiter);
      check();
    });
  }

  /** How long the first one in the queue has waited. */
  waitingMs(): number {
    const [first] = this.#waiting;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  #passOn(): void {
    const [next] = this.#urgent.size > 0 ? this.#urgent : this.#waiting;
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

interface ConnectionEvents {
  onAnswer(): void;
  onBroken(): void;
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #events: ConnectionEvents;
  #last: Promise<unknown> = Promise.resolve();
  #isReleased = false;
  isBroken = false;
  isInTransaction = false;

  constructor(client: pg.PoolClient, events: ConnectionEvents) {
    this.#client = client;
    this.#events = events;
    client.on("error", this.#onError);
  }

  readonly #onError = () => this.#break();

  #break(): void {
    this.isBroken = true;
    this.#events.onBroken();
  }

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
      this.#events.onAnswer();
      const numAffectedRows = BigInt(rowCount ?? 0);
      return command === "SELECT" ? { rows } : { rows, numAffectedRows };
    } catch (error) {
      throw this.#described(error, sql);
    }
  }

  #described(error: unknown, sql: string): BotError {
    const code = databaseErrorCodeOf(error);
    if (isAnswer(code)) this.#events.onAnswer();
    // The next connection may reach the server that takes writes.
    if (code === readOnly) this.#break();
    if (code === foreignKeyViolation) return createGuildErasedError(error);
    if (isAnswer(code)) return describeDatabaseFailure(error);
    // The connection may still be busy with the query, or be gone, and a write may have been done.
    this.#break();
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
  return /^[0-9A-Z]{5}$/u.test(code) && !code.startsWith("08") && !code.startsWith("57P0");
}
