import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Database, Tables } from "../../../src/database/index.ts";

/**
 * Carries out a query or transaction, or throws instead. `what` is the statement or `transaction`, `values` belong to
 * the statement.
 */
export type Step = <T>(
  send: () => Promise<T>,
  what: string,
  values?: readonly unknown[],
) => Promise<T>;

/** The same database; each query and each transaction is a step of a process. */
export function fencedDatabase(database: Database, step: Step): Database {
  const isPostgres = database.dialect === "postgres";
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new FencedDriver(database.db, step),
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new SharedAdapter()),
      createIntrospector: (own) =>
        isPostgres ? new PostgresIntrospector(own) : new SqliteIntrospector(own),
      createQueryCompiler: () =>
        isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler(),
    },
  });
  return {
    ...database,
    db,
    transaction: (work) => step(() => database.transaction(work), "transaction"),
    // On PostgreSQL, removal waits for transactions that may themselves wait for the clock, so it must not stop the
    // clock.
    ...(!isPostgres && {
      servers: {
        ...database.servers,
        remove: (...given) => step(() => database.servers.remove(...given), "remove"),
      },
    }),
    ping: () => step(database.ping, "ping"),
  };
}

/** Transactions use the real connection, so they need not wait for this one. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class FencedDriver extends DummyDriver {
  readonly #db: Kysely<Tables>;
  readonly #step: Step;

  constructor(db: Kysely<Tables>, step: Step) {
    super();
    this.#db = db;
    this.#step = step;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>(query: CompiledQuery) =>
        this.#step(
          () => this.#db.executeQuery(query as CompiledQuery<R>),
          query.sql,
          query.parameters,
        ),
      async *streamQuery(): AsyncGenerator<never> {
        yield* [];
      },
    };
  }
}
