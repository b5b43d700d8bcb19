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
import { describeDatabaseFailure, guildErased, transactionOver } from "./failure.ts";

/** Longer than a busy server takes, shorter than a person waits. */
const answerMs = 5_000;
/** What one statement of an erasure or a migration may take. */
const longMs = 300_000;
const maxConnections = 8;
const idleMs = 60_000;

const foreignKeyViolation = "23503";

/** Loads the driver, which a start on SQLite has no use for. @throws nothing yet: the first statement connects. */
export async function openPool(url: string): Promise<pg.Pool> {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  // Times and counts are whole numbers below 2^53.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: "greenroom",
    connectionTimeoutMillis: answerMs - 1_000,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    max: maxConnections,
    types,
  });
  // An idle connection was lost; the next call opens another.
  pool.on("error", () => undefined);
  return pool;
}

export class PostgresDriver implements Driver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect());
    } catch (error) {
      throw describeDatabaseFailure(error);
    }
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
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #last: Promise<unknown> = Promise.resolve();
  #isReleased = false;
  isBroken = false;
  isInTransaction = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.on("error", this.#onError);
  }

  readonly #onError = () => {
    this.isBroken = true;
  };

  /** One after the other: works of one transaction share its connection. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.#last.then(() => this.#execute<R>(query));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isReleased) throw describeDatabaseFailure(transactionOver());
    try {
      const { rows, rowCount, command } = await this.#client.query({
        text: sql,
        values: [...parameters],
        query_timeout: longStatements.test(sql) ? longMs : answerMs,
      } as pg.QueryConfig);
      const numAffectedRows = BigInt(rowCount ?? 0);
      return command === "SELECT" ? { rows } : { rows, numAffectedRows };
    } catch (error) {
      throw this.#described(error, sql);
    }
  }

  #described(error: unknown, sql: string): BotError {
    const code = codeOf(error);
    if (code === foreignKeyViolation) return guildErased(error);
    if (isAnswer(code)) return describeDatabaseFailure(error);
    // The connection may still be busy with it, or be gone, and a write may have been done.
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
 * Changes a table, takes all rows of a server, watch or feed with it, or waits for another process's migrations; anything
 * else fails soon when the server no longer answers.
 */
const longStatements =
  /^\s*(?:create|alter|delete from "(?:servers|watches|feeds)")|pg_advisory_lock/u;

/** An SQLSTATE is the server's answer, but for those of a connection that broke while the server worked. */
function isAnswer(code: string): boolean {
  return (
    /^[0-9A-Z]{5}$/u.test(code) && !code.startsWith("08") && code !== "57P01" && code !== "57P02"
  );
}

export function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | undefined)?.code ?? "");
}
