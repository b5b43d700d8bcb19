import { setImmediate as nextTurn } from "node:timers/promises";
import { Keyv, type KeyvStoreAdapter } from "keyv";
import { createGenerations, type Generations } from "./generations.ts";
import type { UpdateOptions } from "./swap.ts";

/** Fixed words without a colon: keyv tells records of two namespaces apart by the text before the first one. */
export const namespaces = [
  "credential",
  "token",
  "ticket",
  "revocation",
  "lease",
  "continuation",
  "continuation-index",
  "settings",
  "canary",
  "ping",
  "unit",
  "spender",
  "credit",
  "watch",
  "progress",
  "item",
  "digest",
  "author",
  "audit",
  "rules",
  "reply",
  "feed",
  "feed-progress",
  "announcement",
  "generation",
] as const;

export type Namespace = (typeof namespaces)[number];

export interface RecordAt {
  readonly namespace: Namespace;
  readonly key: string;
}

/** Where a record is written that belongs to a guild: nothing arrives there once the guild is erased. */
export interface GuildRecordAt extends RecordAt {
  readonly guildId: string;
}

/** A database as the typed stores need it. */
export interface Backend {
  /** Records of one kind. Failures are thrown; only single-key calls, because `getMany` hides them. */
  readonly records: Readonly<Record<Namespace, Keyv>>;
  /**
   * Replaces a record by what is made of its value, `undefined` when there is none, and answers that; nobody, in this
   * process or another, comes between. To make `undefined` removes the record, and to make the very same value costs no
   * write. `make` may be called several times; what it throws leaves the record as it is. Without a time the record stays for good; with one, `getRaw` tells it as `expires`.
   */
  update<T>(at: RecordAt | GuildRecordAt, make: (value: unknown) => T, ttlMs?: number): Promise<T>;
  readonly generations: Generations;
  /**
   * Every key of a namespace that starts with the prefix and a colon, or every key, with the text under it. With a prefix
   * only where all records of the namespace stay for good.
   */
  list(namespace: Namespace, prefix?: string): AsyncIterable<readonly [key: string, text: string]>;
  /** Wipes the values just deleted as far as that is cheap. */
  wipe(): Promise<void>;
  /** Wipes every trace of what was ever deleted, as far as the database can; its time grows with the database. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/** Makes an entry of the text stored under a key, or `undefined` to remove it; the same text stays as it is. */
export type MakeText = (stored: string | undefined) => string | undefined;

/** What each kind of database brings. */
export interface Database extends Omit<Backend, "records" | "update" | "generations"> {
  /** Keyv gives each namespace an adapter of its own. */
  adapter(): KeyvStoreAdapter;
  /** As `Backend.update`, of whole texts. */
  update(key: string, make: MakeText, options?: UpdateOptions): Promise<void>;
}

export function createBackend({ adapter, update, list, wipe, scrub, close }: Database): Backend {
  const named = namespaces.map((name) => [name, createRecords(adapter(), name)]);
  const records = Object.fromEntries(named) as Record<Namespace, Keyv>;
  const generations = createGenerations(records.generation);
  return {
    records,
    generations,
    update: async (at, make, ttlMs) => {
      const { namespace, key } = at;
      const guard = "guildId" in at ? generations.guardFor(at.guildId) : undefined;
      let made: { value: ReturnType<typeof make> } | undefined;
      const text: MakeText = (stored) => {
        const value = stored === undefined ? undefined : parse(stored).value;
        made = { value: make(value) };
        // The same text is not written once more.
        if (made.value === value && ttlMs === undefined) return stored;
        return made.value === undefined ? undefined : written(made.value, ttlMs);
      };
      await update(`${namespace}:${key}`, text, { ttlMs, guard });
      if (made === undefined) throw new Error("the store made nothing of a record");
      return made.value;
    },
    list,
    wipe,
    scrub,
    close,
  };
}

const withoutPause = 25;

/** Every record of a namespace, by its key. SQLite answers at once, so that other work is let in now and then. */
export async function* entries(records: Keyv): AsyncGenerator<readonly [string, unknown]> {
  if (records.iterator === undefined) throw new Error("the store's driver can't list its records");
  let count = 0;
  for await (const entry of records.iterator(undefined)) {
    yield entry as readonly [string, unknown];
    count += 1;
    if (count % withoutPause === 0) await nextTurn();
  }
}

/** Every record of a namespace whose key starts with the prefix and a colon, by its key. */
export async function* entriesWithin(
  backend: Pick<Backend, "list">,
  namespace: Namespace,
  prefix?: string,
): AsyncGenerator<readonly [key: string, value: unknown]> {
  let count = 0;
  for await (const [key, text] of backend.list(namespace, prefix)) {
    yield [key.slice(namespace.length + 1), parse(text).value];
    count += 1;
    if (count % withoutPause === 0) await nextTurn();
  }
}

function createRecords(store: KeyvStoreAdapter, namespace: Namespace): Keyv {
  return new Keyv({
    store,
    namespace,
    serialize: JSON.stringify,
    deserialize: parse,
    throwOnErrors: true,
    emitErrors: false,
  });
}

/** As keyv names and writes its records. */
function written(value: unknown, ttlMs: number | undefined): string {
  return JSON.stringify({ value, ...(ttlMs !== undefined && { expires: Date.now() + ttlMs }) });
}

/** Keyv reads a row of `null` as absent; a row without a value is damaged, and must fail. */
function parse<Value>(text: string): { value?: Value; expires?: number } {
  const entry: unknown = JSON.parse(text);
  if (typeof entry === "object" && entry !== null && "value" in entry) {
    return entry as { value?: Value; expires?: number };
  }
  throw new Error("a record of the store has no value");
}
