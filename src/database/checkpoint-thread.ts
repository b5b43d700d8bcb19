/** Copies what SQLite's log holds into its file, each time it is told to. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointMode } from "./checkpoints.ts";

/** Others that read or write are waited for, because nobody waits for this thread. */
const file = new DatabaseSync(String(workerData), { timeout: 2_000 });
/** A log that is written to while it is copied does not begin anew by itself; then writers wait for a moment. */
const mostPages = 4_000;

parentPort?.on("message", (mode: CheckpointMode | "close") => {
  if (mode === "close") {
    file.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(answerOf(mode));
});

function answerOf(mode: CheckpointMode): CheckpointAnswer {
  try {
    const pages = copy("PASSIVE");
    if (mode === "TRUNCATE") copy("TRUNCATE");
    else if (pages > mostPages) copy("RESTART");
    return {};
  } catch (error) {
    const { errcode = 1, message } = error as Error & { readonly errcode?: number };
    return { failure: { errcode, message } };
  }
}

/** Answers how long the log is. */
function copy(mode: CheckpointMode | "RESTART"): number {
  const row = file.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return Number(row?.log);
}
