import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeyvStoreAdapter, StoredData } from "keyv";
import { type Database, sql } from "../database/index.ts";

interface KeyvSqlOptions {
  readonly database: Database;
  /** Id of the server whose rows are written or deleted just now; undefined for rows that belong to none. */
  readonly ownerId?: () => number | undefined;
}

const pageSize = 100;
const sweepEveryMs = 60_000;
/** What one write sweeps away; the next one goes on where there was more. */
const mostSwept = 100;

/**
 * Keyv over the table of that name. Every call is one statement, so it is whole or not at all; a failure of the database is
 * thrown, never answered as absence. What has expired is swept by later writes.
 */
export class KeyvSql extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv offers its iterator only for a dialect that it knows. */
  readonly opts = { dialect: "sqlite", url: "sqlite:" };
  namespace?: string | undefined;
  readonly #database: Database;
  readonly #ownerId: () => number | undefined;
  readonly #read: ReturnType<typeof readQuery>;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ database, ownerId = () => undefined }: KeyvSqlOptions) {
    super();
    this.#database = database;
    this.#ownerId = ownerId;
    this.#read = readQuery(database);
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    const parameters = [key, this.#database.now()];
    const { rows } = await this.#database.db.executeQuery<{ readonly value: string }>({
      ...this.#read,
      parameters,
    });
    // Keyv deserializes a string itself, so the declared value is that of the layer above.
    return rows[0]?.value as StoredData<Value> | undefined;
  }

  async set(key: string, value: string, ttl?: number): Promise<boolean> {
    await this.#sweepAtTimes();
    const { db, now } = this.#database;
    const expires_at = ttl === undefined ? null : Math.ceil(now() + ttl);
    const row = { value, server_id: this.#ownerId() ?? null, expires_at };
    await db
      .insertInto("keyv")
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
    return true;
  }

  async delete(key: string): Promise<boolean> {
    const ownerId = this.#ownerId();
    const { numDeletedRows } = await this.#database.db
      .deleteFrom("keyv")
      .where("key", "=", key)
      .where(live(this.#database.now()))
      .$if(ownerId !== undefined, (query) => query.where("server_id", "=", ownerId ?? null))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async clear(): Promise<void> {
    await sql`delete from keyv where ${within(this.namespace)}`.execute(this.#database.db);
  }

  /** Pages by key, so that entries may be written and deleted between two steps. */
  async *iterator<Value>(
    namespace?: string,
  ): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
    for (let after = ""; ; ) {
      const { rows } = await sql<{ key: string; value: string }>`
        select key, value from keyv
        where ${within(namespace)} and key > ${after} and ${live(this.#database.now())}
        order by key limit ${pageSize}`.execute(this.#database.db);
      for (const { key, value } of rows) yield [key, value as Awaited<Value>];
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      after = last.key;
      // SQLite answers at once, so that other work is let in now and then.
      await nextTurn();
    }
  }

  /** Two processes that sweep at once don't wait for each other. */
  async #sweepAtTimes(): Promise<void> {
    const { db, dialect, now } = this.#database;
    if (now() - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now();
    const lock = dialect === "postgres" ? sql`for update skip locked` : sql``;
    const { numAffectedRows = 0n } = await sql`
      delete from keyv where key in (
        select key from keyv where expires_at <= ${now()} limit ${mostSwept} ${lock})`.execute(db);
    if (numAffectedRows >= BigInt(mostSwept)) this.#sweptAt = Number.NEGATIVE_INFINITY;
  }
}

const live = (now: number) => sql<boolean>`(expires_at is null or expires_at > ${now})`;

/** A semicolon follows the colon, so that this is a range of the key's index. */
function within(namespace: string | undefined) {
  if (!namespace) return sql`true`;
  return sql`key >= ${`${namespace}:`} and key < ${`${namespace};`}`;
}

/** Built once: what a command reads of the store has to be cheap. */
function readQuery({ db }: Database) {
  return db.selectFrom("keyv").select("value").where("key", "=", "").where(live(0)).compile();
}
