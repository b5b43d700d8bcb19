import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../errors.ts";

export interface SqliteFileOptions {
  /** A path, or `:memory:`. */
  readonly path: string;
  /** How long a statement waits for another process's lock. */
  readonly busyTimeoutMs?: number;
}

const ownerOnly = 0o600;
const schemaVersion = 1;

// The copy that VACUUM makes stays in memory, so that no secret lands in a temporary file.
const settings =
  "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;";

// One table for every namespace: keyv puts the namespace in front of the key.
const schema = `
  CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires) WHERE expires IS NOT NULL;
  PRAGMA user_version = ${schemaVersion};
`;

/** Opens the database with the settings under which an acknowledged write survives a crash and a deleted one is wiped. */
export function openSqliteFile({ path, busyTimeoutMs = 10_000 }: SqliteFileOptions): DatabaseSync {
  if (path !== ":memory:") keepPrivate(path);
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    useWriteAheadLog(database, busyTimeoutMs);
    database.exec(settings);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies the log into the file and empties it: it held the pages as they were before a deletion. */
export function truncateLog(database: DatabaseSync): void {
  const result = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  if (result?.busy !== 0) throw new Error("the write-ahead log is in use by another process");
}

/**
 * Leaves nothing deleted readable in the file or its log. Zeroing deleted cells is not enough: moving cells between pages
 * leaves copies in their unused parts, so the file is written anew.
 */
export function scrub(database: DatabaseSync): void {
  database.exec("VACUUM");
  truncateLog(database);
}

/** SQLite gives the log and the shared memory the mode that the file has. */
function keepPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", ownerOnly));
  } catch (error) {
    // An existing file is not opened here: closing it would drop the locks of this process's other connections.
    if (!hasCode(error, "EEXIST")) throw error;
    for (const end of ["", "-wal", "-shm"]) restrict(`${path}${end}`);
  }
}

function restrict(path: string): void {
  try {
    chmodSync(path, ownerOnly);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** The switch itself does not wait for locks, so it is tried again while another process does the same. */
function useWriteAheadLog(database: DatabaseSync, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function migrate(database: DatabaseSync): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
    if (found > schemaVersion) throw newerFile(found);
    if (found < schemaVersion) database.exec(schema);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function newerFile(found: number): ConfigError {
  return new ConfigError(
    `the store's file has version ${found}, this program knows ${schemaVersion}`,
    {
      code: "store_file",
      hint: "Start the newer version of Greenroom that wrote this file, or set STORE_URL to another one.",
    },
  );
}

function isLocked(error: unknown): boolean {
  const sqliteBusy = 5;
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === sqliteBusy;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
