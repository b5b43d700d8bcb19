import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

export type CheckpointMode = "PASSIVE" | "TRUNCATE";

export interface CheckpointAnswer {
  readonly failure?: { readonly errcode: number; readonly message: string };
}

/** As many as SQLite itself would wait for. */
const longPages = 1_000;
/** Whoever writes on and on without a turn of the event loop never hears that the thread is done, and does it itself. */
const mostPages = 16_000;
/** For so little no thread is begun. */
const shortPages = 32;
/** It runs a statement now and then. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } as const;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * When SQLite's log is copied into its file. That waits for the disk several times, and SQLite would do it within whichever
 * write made the log too long, so that the whole process stood still: a thread does it.
 */
export function createCheckpoints(file: DatabaseSync, path: string) {
  const state = file.prepare("PRAGMA wal_checkpoint(NOOP)");
  const thread = createCopyThread(path, () => leaveToSqlite(file));
  let last: Promise<void> = Promise.resolve();
  let isCopying = false;
  file.exec("PRAGMA wal_autocheckpoint = 0");

  /** Within a transaction SQLite tells nothing of its log. */
  const isShort = () => !thread.isThere() && !file.isTransaction && pagesLeft(state) < shortPages;
  const copyHere = (mode: CheckpointMode) => file.exec(`PRAGMA wal_checkpoint(${mode})`);

  /** One after the other. */
  function inTurn(mode: CheckpointMode): Promise<void> {
    const asked = last.then(async () => {
      if (isShort()) return copyHere(mode);
      try {
        return await thread.copy(mode);
      } catch (error) {
        if (thread.isThere()) throw error;
        return copyHere(mode);
      }
    });
    last = asked.catch(() => undefined);
    return asked;
  }

  async function copySoon(): Promise<void> {
    isCopying = true;
    // What fails is tried again with the next writes: the log stays, and so does what it holds.
    await inTurn("PASSIVE").catch(() => undefined);
    isCopying = false;
  }

  function look(): void {
    if (file.isTransaction) return;
    try {
      const pages = pagesLeft(state);
      if (!isCopying && pages >= longPages) void copySoon();
      else if (isCopying && pages >= mostPages) copyHere("PASSIVE");
    } catch {
      // Nothing is lost: the log stays as it is, and is copied after a later write.
    }
  }

  return {
    /** Has the log copied where it has become long; to be called after writes. */
    look,
    /** Over once no copying is under way: for who writes much, so that the log does not grow meanwhile. */
    settled: () => (isCopying ? last : Promise.resolve()),
    /** Copies what there is while others go on, so that to empty it takes little. */
    async copy(): Promise<void> {
      // What fails here fails again when the log is emptied.
      if (!isShort()) await inTurn("PASSIVE").catch(() => undefined);
    },
    /** Copies the rest of the log and cuts it off, as far as nobody reads it; not within a transaction. @throws what SQLite says. */
    empty: () => inTurn("TRUNCATE"),
    /** To be called after the file was closed: whoever closes it last copies what is left. */
    close: () => last.then(thread.close),
  };
}

/** Where there can't be a thread, SQLite does it by itself. */
function leaveToSqlite(file: DatabaseSync): void {
  if (file.isOpen) file.exec(`PRAGMA wal_autocheckpoint = ${longPages}`);
}

/** How many pages of the log are not in the file yet. */
function pagesLeft(state: StatementSync): number {
  const { log, checkpointed } = state.get() ?? {};
  return Number(log) - Number(checkpointed);
}

/** The thread that copies, begun when it is first needed; `onEnd` is called where it ended by itself. */
function createCopyThread(path: string, onEnd: () => void) {
  let worker: Worker | undefined;
  let pending: PromiseWithResolvers<void> | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), {
      ...{ env: {}, resourceLimits, workerData: path },
    });
    started.on("message", ({ failure }: CheckpointAnswer) => {
      if (failure === undefined) pending?.resolve();
      else pending?.reject(Object.assign(new Error(failure.message), failure));
    });
    const end = (error: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      onEnd();
      pending?.reject(error);
    };
    started.on("error", end);
    started.on("exit", () => end(new Error("the thread that copies the log ended")));
    return started;
  }

  return {
    isThere: () => worker !== undefined,
    /** @throws what SQLite says, or why the thread ended. */
    async copy(mode: CheckpointMode): Promise<void> {
      worker ??= start();
      const asked = worker;
      pending = Promise.withResolvers();
      // Whoever waits for it must not end with the process; otherwise nothing waits for the thread.
      asked.ref();
      try {
        asked.postMessage(mode);
        await pending.promise;
      } finally {
        asked.unref();
      }
    },
    async close(): Promise<void> {
      const closing = worker;
      if (closing === undefined) return;
      await new Promise((resolve) => {
        closing.once("exit", resolve);
        closing.ref();
        closing.postMessage("close");
      });
    },
  };
}
