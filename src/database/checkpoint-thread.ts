/** Copies SQLite's log into the database file, each time it gets a message. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointMode } from "./checkpoints.ts";

/** It may wait for other readers and writers, because nobody waits for this thread. */
const file = new DatabaseSync(String(workerData), { timeout: 2_000 });
/**
 * A log that is written to while it is copied never restarts from its beginning by itself. At this length the copy makes
 * writers wait for a moment, so that it can.
 */
const maxPages = 4_000;

parentPort?.on("message", (mode: CheckpointMode | "close") => {
  if (mode === "close") {
    file.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(copyLog(mode));
});

function copyLog(mode: CheckpointMode): CheckpointAnswer {
  try {
    const pages = copy("PASSIVE");
    if (mode === "TRUNCATE") copy("TRUNCATE");
    else if (pages > maxPages) copy("RESTART");
    return {};
  } catch (error) {
    const { errcode = 1, message } = error as Error & { readonly errcode?: number };
    return { failure: { errcode, message } };
  }
}

/** Returns how many pages the log has. */
function copy(mode: CheckpointMode | "RESTART"): number {
  const row = file.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return Number(row?.log);
}
