import { AsyncLocalStorage } from "node:async_hooks";
import { Keyv } from "keyv";
import { type Database, sql } from "../database/index.ts";
import { isInNamespace, KeyvSql } from "./keyv-sql.ts";

/** Words without a colon, because keyv distinguishes namespaces by the text before the first colon. */
const namespaces = ["credential", "token", "ticket", "continuation", "settings", "canary"] as const;

export type RecordNamespace = (typeof namespaces)[number];

export interface RecordKey {
  readonly namespace: RecordNamespace;
  readonly key: string;
}

/** Key of a record that belongs to a server. Such a record can't be written once the server is erased. */
export interface ServerRecordKey extends RecordKey {
  readonly guildId: string;
}

export type KeyedRecords = ReturnType<typeof createRecords>;

/** Records that are read as a whole by their key, through keyv. Failures are thrown; a damaged record is a failure. */
export function createRecords(database: Database) {
  const { db, dialect, servers, transaction } = database;
  // Keyv passes its adapter only a key and a value.
  const ownerIds = new AsyncLocalStorage<number>();
  const entries = namespaces.map((namespace) => {
    const keyv = new Keyv({
      store: new KeyvSql({ database, ownerId: () => ownerIds.getStore() }),
      namespace,
      throwOnErrors: true,
      emitErrors: false,
      // The time when a record expires is in its row, where the database's clock decides.
      serialize: ({ value }) => JSON.stringify({ value }),
      deserialize: parse,
    });
    return [namespace, keyv];
  });
  const keyvs = Object.fromEntries(entries) as Record<RecordNamespace, Keyv>;

  const set = async (at: RecordKey | ServerRecordKey, value: unknown, ttlMs?: number) => {
    const write = () => keyvs[at.namespace].set(at.key, value, ttlMs);
    if (!("guildId" in at)) return void (await write());
    await ownerIds.run(await servers.need(at.guildId), write);
  };

  const remove = async (at: RecordKey | ServerRecordKey): Promise<boolean> => {
    const work = () => keyvs[at.namespace].delete(at.key);
    if (!("guildId" in at)) return work();
    const serverId = await servers.find(at.guildId);
    return serverId !== undefined && ownerIds.run(serverId, work);
  };

  return {
    database,
    get: ({ namespace, key }: RecordKey): Promise<unknown> => keyvs[namespace].get(key),
    /** Without a time the record stays for good. */
    set,
    /**
     * Replaces a record by what `make` returns for its value (it gets `undefined` if there is none), and returns the new value.
     * Nobody, in this process or another, changes it in between. If `make` returns `undefined`, the record is removed; if it
     * returns the very same value, nothing is written. `make` may be called several times; if it throws, the record stays as it
     * is.
     */
    change: <T>(
      at: RecordKey | ServerRecordKey,
      make: (value: unknown) => T,
      ttlMs?: number,
    ): Promise<T> =>
      transaction(async () => {
        // A row that does not exist yet can't be locked, so a lock by name is used. SQLite has one writer at a time anyway.
        if (dialect === "postgres") {
          const name = `${at.namespace}:${at.key}`;
          await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
        }
        const value: unknown = await keyvs[at.namespace].get(at.key);
        const made = make(value);
        if (made === undefined) {
          if (value !== undefined) await remove(at);
        } else if (made !== value || ttlMs !== undefined) {
          await set(at, made, ttlMs);
        }
        return made;
      }),
    /** Returns whether it was there. */
    remove,
    /** Every record of a namespace, by its key; for a namespace that has few, and none that expires. */
    entries: async (namespace: RecordNamespace): Promise<ReadonlyMap<string, unknown>> => {
      const { rows } = await sql<{ key: string; value: string }>`
        select key, value from keyv where ${isInNamespace(namespace)} order by key`.execute(db);
      return new Map(
        rows.map(({ key, value }) => [key.slice(namespace.length + 1), parse(value).value]),
      );
    },
  };
}

/** Keyv reads `null` as absent; a record without a value is damaged and must fail. */
function parse<Value>(text: string): { readonly value: Value } {
  const entry: unknown = JSON.parse(text);
  if (typeof entry === "object" && entry !== null && "value" in entry) {
    return entry as { value: Value };
  }
  throw new Error("a record of the store has no value");
}
