import type { DatabaseSync } from "node:sqlite";
import { type Backend, createBackend } from "../backend.ts";
import { openSqliteFile, type SqliteFileOptions, scrub, truncateLog } from "./file.ts";
import { KeyvSqlite } from "./keyv-sqlite.ts";

export function openSqlite(options: SqliteFileOptions & { readonly now?: () => number }): Backend {
  return createSqlite(openSqliteFile(options), options.now);
}

export function createSqlite(database: DatabaseSync, now = () => Date.now()): Backend {
  const store = new KeyvSqlite({ database, now });
  return createBackend({
    adapter: () => new KeyvSqlite({ database, now }),
    update: (key, make, given) => store.update(key, make, given),
    list: (namespace, prefix) =>
      store.list(prefix === undefined ? namespace : `${namespace}:${prefix}`),
    wipe: async () => truncateLog(database),
    scrub: async () => {
      store.sweep();
      scrub(database);
    },
    close: async () => {
      if (database.isOpen) database.close();
    },
  });
}
