import { EventEmitter } from "node:events";
import type { KeyvStoreAdapter, StoredData } from "keyv";
import { createRowReader, type Database, sql } from "../database/index.ts";

interface KeyvSqlOptions {
  readonly database: Database;
  /** Id of the server whose records are being written or deleted; undefined for records that belong to none. */
  readonly ownerId?: () => number | undefined;
}

const sweepEveryMs = 60_000;
/** Most that one write removes; the next one continues where there is more. */
const maxSwept = 100;

/**
 * Keyv's adapter for the table of that name. Every call is one statement, so it happens completely or not at all. A failure of
 * the database is thrown and never looks like an absent record. Later writes remove what has expired.
 */
export class KeyvSql extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv's type demands it. */
  readonly opts = {};
  namespace?: string | undefined;
  readonly #database: Database;
  readonly #ownerId: () => number | undefined;
  readonly #read: (key: string) => Promise<string | undefined>;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ database, ownerId = () => undefined }: KeyvSqlOptions) {
    super();
    this.#database = database;
    this.#ownerId = ownerId;
    this.#read = createRowReader(database, readValues(database));
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    // Keyv deserializes the string itself, so the declared type is that of the layer above.
    return (await this.#read(key)) as StoredData<Value> | undefined;
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
      .where(isLive(this.#database.now()))
      .$if(ownerId !== undefined, (query) => query.where("server_id", "=", ownerId ?? null))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async clear(): Promise<void> {
    const { db } = this.#database;
    if (this.namespace === undefined) await sql`delete from keyv`.execute(db);
    else await sql`delete from keyv where ${isInNamespace(this.namespace)}`.execute(db);
  }

  /** Removes expired records now and then. Two processes that do so at once don't wait for each other. */
  async #sweepAtTimes(): Promise<void> {
    const { db, now, skipLocked } = this.#database;
    if (now() - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now();
    const { numAffectedRows = 0n } = await sql`
      delete from keyv where key in (
        select key from keyv where expires_at <= ${now()} limit ${maxSwept} ${skipLocked})`.execute(
      db,
    );
    if (numAffectedRows >= BigInt(maxSwept)) this.#sweptAt = Number.NEGATIVE_INFINITY;
  }
}

const isLive = (now: number) => sql<boolean>`(expires_at is null or expires_at > ${now})`;

/** A semicolon follows the colon, so that this is a range of the key's index. */
export function isInNamespace(namespace: string) {
  return sql`key >= ${`${namespace}:`} and key < ${`${namespace};`}`;
}

/** The query is built only once, because commands read from the store often. */
function readValues({ db, dialect, now }: Database) {
  const isPostgres = dialect === "postgres";
  const query = db
    .selectFrom("keyv")
    .select(["key", "value"])
    .where(isPostgres ? sql<boolean>`key = any(${[]})` : sql<boolean>`key = ${""}`)
    .where(isLive(0))
    .compile();
  return async (keys: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const parameters = [isPostgres ? keys : keys[0], now()];
    const { rows } = await db.executeQuery<{ key: string; value: string }>({
      ...query,
      parameters,
    });
    const values = new Map(rows.map(({ key, value }) => [key, value]));
    return keys.map((key) => values.get(key));
  };
}
