import type { DatabaseSync } from "node:sqlite";
import { Keyv } from "keyv";
import { KeyvSqlite } from "./sqlite.ts";
import { openSqliteFile, type SqliteFileOptions, scrub, truncateLog } from "./sqlite-file.ts";

/** Fixed words without a colon: keyv tells records of two namespaces apart by the text before the first one. */
export type Namespace =
  | "credential"
  | "token"
  | "ticket"
  | "revocation"
  | "lease"
  | "continuation"
  | "settings"
  | "canary"
  | "ping"
  | "unit"
  | "spender"
  | "credit";

export interface RecordAt {
  readonly namespace: Namespace;
  readonly key: string;
}

/** A database as the typed stores need it. */
export interface Backend {
  /** Records of one kind. Failures are thrown; only single-key calls, because `getMany` hides them. */
  readonly records: Readonly<Record<Namespace, Keyv>>;
  /**
   * Replaces a record by what is made of its value, `undefined` when there is none, and answers that; nobody, in this
   * process or another, comes between. To make `undefined` removes the record. `make` may be called several times; what it throws leaves the
   * record as it is. Without a time the record stays for good; with one, `getRaw` tells it as `expires`.
   */
  update<T>(at: RecordAt, make: (value: unknown) => T, ttlMs?: number): Promise<T>;
  /** Wipes the values just deleted as far as that is cheap: from the file's cells and from the log. */
  wipe(): Promise<void>;
  /** Wipes every trace of what was ever deleted; its time grows with the database. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export function openSqlite(options: SqliteFileOptions & { readonly now?: () => number }): Backend {
  return createBackend(openSqliteFile(options), options.now);
}

export function createBackend(database: DatabaseSync, now = () => Date.now()): Backend {
  const records = (namespace: Namespace) =>
    createRecords(new KeyvSqlite({ database, now }), namespace);
  const store = new KeyvSqlite({ database, now });
  return {
    records: {
      credential: records("credential"),
      token: records("token"),
      ticket: records("ticket"),
      revocation: records("revocation"),
      lease: records("lease"),
      continuation: records("continuation"),
      settings: records("settings"),
      canary: records("canary"),
      ping: records("ping"),
      unit: records("unit"),
      spender: records("spender"),
      credit: records("credit"),
    },
    update: async ({ namespace, key }, make, ttlMs) => {
      let made: { value: ReturnType<typeof make> } | undefined;
      const text = (stored: string | undefined) => {
        made = { value: make(stored === undefined ? undefined : parse(stored).value) };
        if (made.value === undefined) return undefined;
        return JSON.stringify({
          ...made,
          ...(ttlMs !== undefined && { expires: Date.now() + ttlMs }),
        });
      };
      // As keyv names and writes its records.
      await store.update(`${namespace}:${key}`, text, ttlMs);
      if (made === undefined) throw new Error("the store made nothing of a record");
      return made.value;
    },
    wipe: async () => truncateLog(database),
    scrub: async () => scrub(database),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Every record of a namespace, by its key. */
export async function* entries(records: Keyv): AsyncGenerator<readonly [string, unknown]> {
  if (records.iterator === undefined) throw new Error("the store's driver can't list its records");
  yield* records.iterator(undefined);
}

function createRecords(store: KeyvSqlite, namespace: Namespace): Keyv {
  return new Keyv({
    store,
    namespace,
    serialize: JSON.stringify,
    deserialize: parse,
    throwOnErrors: true,
    emitErrors: false,
  });
}

/** Keyv reads a row of `null` as absent; a row without a value is damaged, and must fail. */
function parse<Value>(text: string): { value?: Value; expires?: number } {
  const entry: unknown = JSON.parse(text);
  if (typeof entry === "object" && entry !== null && "value" in entry) {
    return entry as { value?: Value; expires?: number };
  }
  throw new Error("a record of the store has no value");
}
