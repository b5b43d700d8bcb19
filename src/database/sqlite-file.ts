import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

const ownerOnly = 0o600;
/** Another process that writes is waited for in steps, so that this one's event loop goes on meanwhile. */
export const busyMs = 10_000;
export const stepMs = 5;

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const busy = 5;

/** An acknowledged write survives a crash, and what was deleted is overwritten. */
const settings = `
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA foreign_keys = ON;
`;

/** Opens the file, or makes one that only this user can read. @throws what SQLite says. */
export function openSqliteFile(path: string): DatabaseSync {
  if (path !== ":memory:") keepPrivate(path);
  const file = new DatabaseSync(path, { timeout: stepMs });
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

/** The switch itself does not wait for locks, so it is tried again while another process does the same. */
function useWriteAheadLog(file: DatabaseSync): void {
  const deadline = performance.now() + busyMs;
  for (;;) {
    try {
      file.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stepMs);
    }
  }
}

export function errcodeOf(error: unknown): number {
  return (error as { readonly errcode?: number }).errcode ?? 0;
}

export function isBusy(error: unknown): boolean {
  return errcodeOf(error) % 256 === busy;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
