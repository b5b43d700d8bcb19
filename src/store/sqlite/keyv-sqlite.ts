import { EventEmitter } from "node:events";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeyvStoreAdapter, StoredData } from "keyv";
import { guildErased } from "../generations.ts";
import type { Guard, UpdateOptions } from "../swap.ts";

export interface KeyvSqliteOptions {
  /** Opened by `openSqliteFile`; several adapters may share it. */
  readonly database: DatabaseSync;
  readonly now?: () => number;
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly ttl?: number;
}

const statements = {
  get: "SELECT value FROM entries WHERE key = ? AND (expires IS NULL OR expires > ?)",
  set: "INSERT OR REPLACE INTO entries (key, value, expires) VALUES (?, ?, ?)",
  delete: "DELETE FROM entries WHERE key = ?",
  clear: "DELETE FROM entries WHERE key >= ? AND key < ?",
  sweep: "DELETE FROM entries WHERE expires <= ?",
  page: `SELECT key, value FROM entries
    WHERE key > ? AND key < ? AND (expires IS NULL OR expires > ?) ORDER BY key LIMIT 100`,
} as const;

const sweepEveryMs = 60_000;
/** Every write waits for the disk, some milliseconds on a slow one; after so many, other work has its turn. */
const writesATurn = 8;
const lastCharacter = "\u{10FFFF}";

/**
 * Keyv over Node's own SQLite. Every call is one statement or one transaction, so it is whole or not at all; a failure
 * of the database is thrown, never answered as absence. Expired entries are swept by later writes.
 */
export class KeyvSqlite extends EventEmitter implements KeyvStoreAdapter {
  /** Keyv offers its iterator only for a dialect that it knows. */
  readonly opts = { dialect: "sqlite", url: "sqlite:" };
  namespace?: string | undefined;
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #prepared: Readonly<Record<keyof typeof statements, StatementSync>>;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** In this turn of the event loop. */
  #writes = 0;

  constructor({ database, now = () => Date.now() }: KeyvSqliteOptions) {
    super();
    this.#database = database;
    this.#now = now;
    const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#prepared = Object.fromEntries(prepared);
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    // Keyv deserializes a string itself, so the declared value is that of the layer above.
    return this.#prepared.get.get(key, this.#now())?.value as StoredData<Value> | undefined;
  }

  async getMany<Value>(keys: string[]): Promise<Array<StoredData<Value | undefined>>> {
    return Promise.all(keys.map((key) => this.get<Value>(key)));
  }

  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined;
  }

  async set(key: string, value: string, ttl?: number): Promise<boolean> {
    await this.#turn();
    this.#sweepAtTimes();
    this.#put({ key, value, ...(ttl !== undefined && { ttl }) });
    return true;
  }

  /**
   * Replaces an entry by what is made of it, or removes it for `undefined`; nobody, in this process or another, comes
   * between.
   */
  async update(
    key: string,
    make: (value: string | undefined) => string | undefined,
    { ttlMs: ttl, guard: reading }: UpdateOptions = {},
  ): Promise<void> {
    const guard = await reading;
    await this.#turn();
    this.#sweepAtTimes();
    this.#together(() => {
      const stored = this.#text(key);
      const value = make(stored);
      if (value === stored && (ttl === undefined || value === undefined)) return;
      if (guard !== undefined) this.#meet(guard);
      if (value === undefined) this.#prepared.delete.run(key);
      else this.#put({ key, value, ...(ttl !== undefined && { ttl }) });
    });
  }

  async setMany(entries: Entry[]): Promise<void> {
    this.#together(() => {
      for (const entry of entries) this.#put(entry);
    });
  }

  async delete(key: string): Promise<boolean> {
    await this.#turn();
    return this.#prepared.delete.run(key).changes > 0;
  }

  /** Answers whether any of them was there. */
  async deleteMany(keys: string[]): Promise<boolean> {
    return this.#together(() => {
      const deleted = keys.filter((key) => this.#prepared.delete.run(key).changes > 0);
      return deleted.length > 0;
    });
  }

  async clear(): Promise<void> {
    this.#prepared.clear.run(...this.#range(this.namespace));
  }

  /** Pages by key, so that entries may be written and deleted between two steps. */
  async *iterator<Value>(
    namespace?: string,
  ): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
    for await (const [key, text] of this.list(namespace)) yield [key, text as Awaited<Value>];
  }

  /** The entries whose keys start with that and a colon, or all. */
  async *list(start: string | undefined): AsyncGenerator<[key: string, text: string], void> {
    let [from, to] = this.#range(start);
    for (;;) {
      const rows = this.#prepared.page.all(from, to, this.#now());
      const last = rows.at(-1);
      if (last === undefined) return;
      for (const { key, value } of rows) yield [String(key), String(value)];
      from = String(last.key);
    }
  }

  async disconnect(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  async #turn(): Promise<void> {
    while (this.#writes >= writesATurn) await nextTurn();
    if (this.#writes === 0) {
      setImmediate(() => {
        this.#writes = 0;
      });
    }
    this.#writes += 1;
  }

  #range(namespace: string | undefined): [from: string, to: string] {
    return namespace ? [`${namespace}:`, `${namespace}:${lastCharacter}`] : ["", lastCharacter];
  }

  #text(key: string): string | undefined {
    return this.#prepared.get.get(key, this.#now())?.value as string | undefined; // the column is text
  }

  /** @throws ServiceError `guild_erased`. */
  #meet(guard: Guard): void {
    const text = this.#text(guard.key);
    if (guard.text !== undefined && text !== guard.text) throw guildErased();
    if (text === undefined) this.#put({ key: guard.key, value: guard.fresh });
    guard.text ??= text ?? guard.fresh;
  }

  #put({ key, value, ttl }: Entry): void {
    this.#prepared.set.run(key, value, ttl === undefined ? null : Math.ceil(this.#now() + ttl));
  }

  /** Removes what has expired. */
  sweep(): void {
    const now = this.#now();
    this.#prepared.sweep.run(now);
    this.#sweptAt = now;
  }

  #sweepAtTimes(): void {
    if (this.#now() - this.#sweptAt >= sweepEveryMs) this.sweep();
  }

  #together<T>(work: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}
