import { closeSync, openSync, realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { ConfigError } from "../errors.ts";
import { isSqliteBusy } from "./sqlite-file.ts";

/** While one process replaces another, both may live for a moment. */
const overlapMs = 5_000;
const retryMs = 50;
const ownerOnly = 0o600;

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
        await wait(retryMs);
        continue;
      }
      lock.close();
      throw isSqliteBusy(error) ? createInUseError(path) : error;
    }
  }
}

function createInUseError(path: string): ConfigError {
  return new ConfigError(`another process of the bot uses ${path}, the file of STORE_URL`, {
    code: "store_in_use",
    hint: "Stop that process first. A SQLite file serves one process; for several, set STORE_URL to an address that starts with postgres://.",
    facts: { mayPass: true },
  });
}
