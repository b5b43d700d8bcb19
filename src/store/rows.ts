import { EventEmitter } from "node:events";
import type { KeyvStoreAdapter, StoredData } from "keyv";
import type { MakeText } from "./backend.ts";
import type { UpdateOptions } from "./swap.ts";

/** Texts by key as a database server keeps them. A failure is thrown, never answered as absence. */
export interface Rows {
  /** Keyv lists the records only of a database whose name it knows. */
  readonly dialect: "redis" | "postgres";
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs?: number): Promise<void>;
  /** Answers whether it was there. */
  delete(key: string): Promise<boolean>;
  /**
   * Every key that starts with the namespace and a colon, and after it with the prefix and a colon where there is one, and
   * what is under it. Others may write meanwhile. With a prefix only where all records of the namespace stay for good.
   */
  list(namespace: string, prefix?: string): AsyncGenerator<[key: string, text: string]>;
  /** As `Backend.update`, of whole texts. */
  update(key: string, make: MakeText, options?: UpdateOptions): Promise<void>;
}

/** Keyv over rows; every namespace has one of its own, and all share the connection. */
export class KeyvRows extends EventEmitter implements KeyvStoreAdapter {
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace?: string | undefined;
  readonly #rows: Rows;

  constructor(rows: Rows) {
    super();
    this.opts = { dialect: rows.dialect, url: `${rows.dialect}:` };
    this.#rows = rows;
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    // Keyv deserializes a string itself, so the declared value is that of the layer above.
    return (await this.#rows.get(key)) as StoredData<Value> | undefined;
  }

  async set(key: string, text: string, ttlMs?: number): Promise<boolean> {
    await this.#rows.set(key, text, ttlMs);
    return true;
  }

  async delete(key: string): Promise<boolean> {
    return this.#rows.delete(key);
  }

  async clear(): Promise<void> {
    for await (const [key] of this.#rows.list(this.namespace ?? "")) await this.#rows.delete(key);
  }

  async *iterator<Value>(
    namespace = "",
  ): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
    for await (const [key, text] of this.#rows.list(namespace)) yield [key, text as Awaited<Value>];
  }
}
