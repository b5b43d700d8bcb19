import { AsyncLocalStorage } from "node:async_hooks";
import { Keyv } from "keyv";
import { type Database, sql } from "../database/index.ts";
import { KeyvSql } from "./keyv-sql.ts";

/** Fixed words without a colon: keyv tells records of two namespaces apart by the text before the first one. */
const namespaces = ["credential", "token", "ticket", "continuation", "settings", "canary"] as const;

export type Namespace = (typeof namespaces)[number];

export interface RecordAt {
  readonly namespace: Namespace;
  readonly key: string;
}

/** Where a record is written that belongs to a server: nothing arrives there once the server is erased. */
export interface ServerRecordAt extends RecordAt {
  readonly guildId: string;
}

/** What is read whole by its key, through keyv. Failures are thrown; a damaged record is one. */
export interface KeyedRecords {
  readonly database: Database;
  get(at: RecordAt): Promise<unknown>;
  /** Without a time the record stays for good. */
  set(at: RecordAt | ServerRecordAt, value: unknown, ttlMs?: number): Promise<void>;
  /**
   * Replaces a record by what is made of its value, `undefined` when there is none, and answers that; nobody, in this
   * process or another, comes between. To make `undefined` removes the record, and to make the very same value costs no
   * write. `make` may be called several times; what it throws leaves the record as it is.
   */
  change<T>(at: RecordAt | ServerRecordAt, make: (value: unknown) => T, ttlMs?: number): Promise<T>;
  /** Answers whether it was there. */
  remove(at: RecordAt | ServerRecordAt): Promise<boolean>;
  /** Every record of a namespace, by its key, read page by page. */
  entries(namespace: Namespace): AsyncIterable<readonly [key: string, value: unknown]>;
}

export function createRecords(database: Database): KeyedRecords {
  const { db, dialect, servers, transaction } = database;
  // Keyv hands its adapter nothing but a key and a value.
  const owners = new AsyncLocalStorage<number>();
  const open = () => new KeyvSql({ database, ownerId: () => owners.getStore() });
  const named = namespaces.map((name) => [name, openKeyv(open(), name)]);
  const keyvs = Object.fromEntries(named) as Record<Namespace, Keyv>;

  const set: KeyedRecords["set"] = async (at, value, ttlMs) => {
    const write = () => keyvs[at.namespace].set(at.key, value, ttlMs);
    if (!("guildId" in at)) return void (await write());
    await owners.run(await servers.need(at.guildId), write);
  };

  const remove: KeyedRecords["remove"] = async (at) => {
    const work = () => keyvs[at.namespace].delete(at.key);
    if (!("guildId" in at)) return work();
    const serverId = await servers.find(at.guildId);
    return serverId !== undefined && owners.run(serverId, work);
  };

  /** A row that is not there yet can't be locked. SQLite has one writer at a time anyway. */
  async function lock({ namespace, key }: RecordAt): Promise<void> {
    if (dialect === "sqlite") return;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${namespace}:${key}`}, 0))`.execute(
      db,
    );
  }

  return {
    database,
    get: ({ namespace, key }) => keyvs[namespace].get(key),
    set,
    change: (at, make, ttlMs) =>
      transaction(async () => {
        await lock(at);
        const value: unknown = await keyvs[at.namespace].get(at.key);
        const made = make(value);
        if (made === undefined) {
          if (value !== undefined) await remove(at);
        } else if (made !== value || ttlMs !== undefined) {
          await set(at, made, ttlMs);
        }
        return made;
      }),
    remove,
    entries: (namespace) => {
      const { iterator } = keyvs[namespace];
      if (iterator === undefined) throw new Error("keyv does not know how to list these records");
      return iterator(undefined) as AsyncGenerator<readonly [string, unknown]>;
    },
  };
}

function openKeyv(store: KeyvSql, namespace: Namespace): Keyv {
  return new Keyv({
    ...{ store, namespace, throwOnErrors: true, emitErrors: false },
    // When a record expires stands in its row, where the database's clock decides it.
    serialize: ({ value }) => JSON.stringify({ value }),
    deserialize: parse,
  });
}

/** Keyv reads a row of `null` as absent; a row without a value is damaged, and must fail. */
function parse<Value>(text: string): { readonly value: Value } {
  const entry: unknown = JSON.parse(text);
  if (typeof entry === "object" && entry !== null && "value" in entry) {
    return entry as { value: Value };
  }
  throw new Error("a record of the store has no value");
}
