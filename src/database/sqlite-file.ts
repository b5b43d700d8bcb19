import { chmodSync, closeSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError } from "../errors.ts";

const ownerOnly = 0o600;
/** How long to wait for another process that writes, and in which steps, so that this process's event loop is not blocked. */
export const sqliteBusyMs = 10_000;
export const sqliteRetryMs = 5;

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const busy = 5;

/** An acknowledged write survives a crash, and what was deleted is overwritten. */
const settings = `
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
`;

/** Opens the file, or creates one that only this user can read. @throws SQLite's error. */
export function openSqliteFile(path: string): DatabaseSync {
  if (path !== ":memory:") keepPrivate(path);
  const file = new DatabaseSync(path, { timeout: sqliteRetryMs });
  try {
    useWriteAheadLog(file);
    file.exec(settings);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
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

/** Switching the mode does not wait for locks, so it is repeated while another process does the same. */
function useWriteAheadLog(file: DatabaseSync): void {
  const deadline = performance.now() + sqliteBusyMs;
  for (;;) {
    try {
      file.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sqliteRetryMs);
    }
  }
}

export function readSqliteErrorCode(error: unknown): number {
  return (error as { readonly errcode?: number }).errcode ?? 0;
}

export function isSqliteBusy(error: unknown): boolean {
  return readSqliteErrorCode(error) % 256 === busy;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

/** While one process replaces another, both may live for a moment. */
const overlapMs = 5_000;
const lockRetryMs = 50;

/**
 * Locks a database file for the one process that may use it, beside it and not in it, so that programs such as `npm run doctor`
 * still read and write it. The system releases the lock when the process ends, however it ends. Returns what releases it.
 * @throws ConfigError `store_in_use`.
 */
export async function lockSqliteFile(path: string): Promise<() => void> {
  // Another name of the same file has the same lock.
  const lockPath = `${realpathSync(path)}.lock`;
  closeSync(openSync(lockPath, "a", ownerOnly));
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  const deadline = performance.now() + overlapMs;
  for (;;) {
    try {
      // In memory, because otherwise SQLite creates another file for it.
      lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return () => {
        if (lock.isOpen) lock.close();
      };
    } catch (error) {
      if (isSqliteBusy(error) && performance.now() < deadline) {
        await wait(lockRetryMs);
        continue;
      }
      lock.close();
      if (!isSqliteBusy(error)) throw error;
      throw new ConfigError(`another process of the bot uses ${path}, the file of STORE_URL`, {
        code: "store_in_use",
        hint: "Stop that process first. A SQLite file serves one process; for several, set STORE_URL to an address that starts with postgres://.",
        facts: { mayPass: true },
      });
    }
  }
}
