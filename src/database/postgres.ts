import type { CompiledQuery, QueryResult } from "kysely";
import type pg from "pg";
import type { BotError } from "../errors.ts";
import {
  createServerErasedError,
  createTransactionOverError,
  readErrorCode,
  toDatabaseError,
} from "./failure.ts";

/** Longer than a busy server takes, shorter than a person waits. */
const answerMs = 5_000;
/** How long one statement of an erasure or a migration may take. */
const longMs = 300_000;
/** The server itself ends a statement that takes too long, and says so within this time: then it is known that nothing was done. */
const refusalMs = 1_000;
/** Longer than a process stands still under load: after this the server ends its transaction, for which others wait. */
const idleInTransactionMs = 2_000;
/** Longer than that, so that whoever waits for such a transaction's locks is not ended before it. */
const lockMs = 2 * idleInTransactionMs;
/** To open a connection, and to wait for a free one from a server that answers nobody. */
const connectMs = answerMs - 1_000;
/** The longest wait for a free connection while the server answers others. */
const turnMs = 30_000;
const generalConnections = 8;
/** Only for urgent work, which never waits behind other work. */
const urgentConnections = 2;
/** After so many in a row, a general connection goes to other work, which would otherwise wait for ever. */
const mostUrgentTurns = 3;
const idleMs = 60_000;

/** Set by statements: a pooler such as PgBouncer refuses to start with settings that it does not know. */
const limits = (statementMs: number, waitMs: number) =>
  `set statement_timeout = ${statementMs}; set lock_timeout = ${waitMs}`;
const usualLimits = limits(answerMs, lockMs);
const sessionSettings = `${usualLimits}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}`;

const foreignKeyViolation = "23503";
/** A transaction that the server has ended together with its connection. */
const stoodStill = /^25P0[34]$/u;
/** PostgreSQL's `in_failed_sql_transaction`. */
const failedTransaction = "25P02";
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
    max: generalConnections + urgentConnections,
    types,
    onConnect: (client) => runSettings(client, sessionSettings),
  });
  // This reports that an idle connection was lost; the next call opens another.
  pool.on("error", () => undefined);
  return pool;
}

async function runSettings(client: pg.ClientBase, text: string): Promise<void> {
  await client.query({ text, query_timeout: answerMs } as pg.QueryConfig);
}

interface AcquireOptions {
  /** Goes before all others that wait for a connection, and has some of its own. */
  readonly isUrgent?: boolean | undefined;
}

interface ConnectionEvents {
  onAnswer(): void;
  onBroken(): void;
  onRelease(): void;
}

/** A connection is either for all work or for urgent work alone. */
type Share = "general" | "urgent";

interface ConnectionWaiter {
  readonly since: number;
  take(share: Share): void;
}

/**
 * Queries beyond the number of connections wait here and not in the pool, which would count the wait for a busy server as
 * a failure: a waiter gives up when the server has answered nobody for a while.
 */
export class PostgresDriver {
  readonly begin = "BEGIN";
  readonly #pool: pg.Pool;
  readonly #waiting = new Set<ConnectionWaiter>();
  /** These go first. */
  readonly #urgent = new Set<ConnectionWaiter>();
  /** Connections from before the last failure may lead to a server that is gone, or that is now a standby. */
  readonly #openedAt = new WeakMap<pg.PoolClient, number>();
  #failedAt = 0;
  readonly #free: Record<Share, number> = {
    general: generalConnections,
    urgent: urgentConnections,
  };
  #answeredAt = 0;
  #urgentTurns = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async acquireConnection({ isUrgent = false }: AcquireOptions = {}): Promise<PostgresConnection> {
    const share = this.#takeFree(isUrgent) ?? (await this.#turn(isUrgent));
    try {
      return new PostgresConnection(await this.#connect(), {
        onAnswer: () => {
          this.#answeredAt = performance.now();
        },
        onBroken: () => {
          this.#failedAt = performance.now();
        },
        onRelease: () => this.#passOn(share),
      });
    } catch (error) {
      this.#passOn(share);
      throw toDatabaseError(error);
    }
  }

  /** How long the one that has waited longest for a general connection has waited, in milliseconds; 0 where none waits. */
  waitingMs(): number {
    const [first] = this.#waiting;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  #takeFree(isUrgent: boolean): Share | undefined {
    const shares: readonly Share[] = isUrgent ? ["urgent", "general"] : ["general"];
    const share = shares.find((one) => this.#free[one] > 0);
    if (share !== undefined) this.#free[share] -= 1;
    return share;
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
  #turn(isUrgent: boolean): Promise<Share> {
    const queue = isUrgent ? this.#urgent : this.#waiting;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const waiter: ConnectionWaiter = {
        since,
        take: (share) => {
          clearTimeout(timer);
          queue.delete(waiter);
          resolve(share);
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
        reject(toDatabaseError(new Error("no connection became free in time")));
      };
      queue.add(waiter);
      check();
    });
  }

  #passOn(share: Share): void {
    const isForAll =
      share === "general" && (this.#urgent.size === 0 || this.#urgentTurns === mostUrgentTurns);
    const [next] = isForAll && this.#waiting.size > 0 ? this.#waiting : this.#urgent;
    if (share === "general") this.#urgentTurns = isForAll ? 0 : this.#urgentTurns + 1;
    if (next === undefined) this.#free[share] += 1;
    else next.take(share);
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

export class PostgresConnection {
  readonly #client: pg.PoolClient;
  readonly #events: ConnectionEvents;
  #last: Promise<unknown> = Promise.resolve();
  #isReleased = false;
  /** What ended it while no statement was under way. */
  #endedBy: unknown;
  #isBroken = false;
  isInTransaction = false;

  constructor(client: pg.PoolClient, events: ConnectionEvents) {
    this.#client = client;
    this.#events = events;
    client.on("error", this.#onError);
  }

  readonly #onError = (error: unknown) => {
    this.#endedBy ??= error;
    this.#break(readErrorCode(error));
  };

  get needsRollback(): boolean {
    return !this.#isBroken;
  }

  #break(code: string): void {
    this.#isBroken = true;
    // The server is fine: it ended a transaction that stood still.
    if (!stoodStill.test(code)) this.#events.onBroken();
  }

  /** One after the other: the queries of a transaction share its connection. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = this.#last.then(() => this.#execute<R>(query));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #execute<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isReleased) throw toDatabaseError(createTransactionOverError());
    if (this.#endedBy !== undefined) throw toDatabaseError(this.#endedBy);
    const isLong = longStatements.test(sql);
    try {
      if (isLong) await runSettings(this.#client, limits(longMs, longMs));
      const { rows, rowCount, command } = await this.#client.query({
        text: sql,
        values: [...parameters],
        query_timeout: (isLong ? longMs : answerMs) + refusalMs,
      } as pg.QueryConfig);
      // A statement that fails ends its transaction, and with it the longer limits.
      if (isLong) await runSettings(this.#client, usualLimits);
      this.#events.onAnswer();
      // The server rolls back where a statement had failed, although the work went on.
      if (sql === "COMMIT" && command === "ROLLBACK") {
        const why = new Error("a statement of the transaction failed");
        throw Object.assign(why, { code: failedTransaction });
      }
      const numAffectedRows = BigInt(rowCount ?? 0);
      return command === "SELECT" ? { rows } : { rows, numAffectedRows };
    } catch (error) {
      // Outside a transaction the longer limits would stay.
      if (isLong && !this.isInTransaction) this.#isBroken = true;
      throw this.#described(error, sql);
    }
  }

  #described(error: unknown, sql: string): BotError {
    const code = readErrorCode(error);
    if (isAnswer(code)) this.#events.onAnswer();
    // The next connection may reach the server that takes writes.
    if (code === readOnly) this.#break(code);
    if (code === foreignKeyViolation) return createServerErasedError(error);
    if (isAnswer(code)) return toDatabaseError(error);
    // The connection may still be busy with the query, or be gone, and a write may have been done.
    this.#break(code);
    const isRead = /^\s*(?:select|begin|rollback)\b/iu.test(sql);
    return toDatabaseError(error, isRead || this.isInTransaction ? "nothing" : "unknown");
  }

  release(): void {
    this.#isReleased = true;
    this.#client.off("error", this.#onError);
    this.#client.release(this.#isBroken);
    this.#events.onRelease();
  }
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
  return /^[0-9A-Z]{5}$/u.test(code) && !/^(?:08|57P0)/u.test(code) && !stoodStill.test(code);
}
