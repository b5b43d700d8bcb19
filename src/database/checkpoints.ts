import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

export type CheckpointMode = "PASSIVE" | "TRUNCATE";

export interface CheckpointAnswer {
  readonly failure?: { readonly errcode: number; readonly message: string };
}

/** SQLite itself copies its log at this length. */
const copyAtPages = 1_000;
/**
 * While work writes without giving the event loop a turn, this process gets no message from the thread. At this length it
 * copies the log itself.
 */
const copyHereAtPages = 16_000;
/** A shorter log is not worth starting a thread. */
const minThreadPages = 32;
/** The thread only runs a statement now and then. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } as const;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Decides when SQLite's log is copied into its file. Copying waits for the disk several times, and SQLite would do it within
 * the write that makes the log too long, so that the whole process would stand still. Therefore a thread does it.
 */
export function createCheckpoints(file: DatabaseSync, path: string) {
  const state = file.prepare("PRAGMA wal_checkpoint(NOOP)");
  const thread = createCopyThread(path, () => {
    // If no thread can run, SQLite copies its log by itself.
    if (file.isOpen) file.exec(`PRAGMA wal_autocheckpoint = ${copyAtPages}`);
  });
  let last: Promise<void> = Promise.resolve();
  let isCopying = false;
  file.exec("PRAGMA wal_autocheckpoint = 0");

  /** How many pages of the log are not in the file yet. */
  function pagesLeft(): number {
    const { log, checkpointed } = state.get() ?? {};
    return Number(log) - Number(checkpointed);
  }

  /** Within a transaction SQLite says nothing about its log. */
  const isShort = () => !thread.isThere() && !file.isTransaction && pagesLeft() < minThreadPages;
  const copyHere = (mode: CheckpointMode) => file.exec(`PRAGMA wal_checkpoint(${mode})`);

  /** In the thread; here if the thread ended. */
  async function copyThere(mode: CheckpointMode): Promise<void> {
    try {
      await thread.copy(mode);
    } catch (error) {
      if (thread.isThere()) throw error;
      copyHere(mode);
    }
  }

  /** Copies run one after the other. */
  function inTurn(mode: CheckpointMode): Promise<void> {
    const copied = last.then(() => (isShort() ? copyHere(mode) : copyThere(mode)));
    last = copied.catch(() => undefined);
    return copied;
  }

  return {
    /** Starts copying the log if it has become long. Must be called after writes. */
    look(): void {
      if (file.isTransaction) return;
      try {
        const pages = pagesLeft();
        if (isCopying) {
          if (pages >= copyHereAtPages) copyHere("PASSIVE");
        } else if (pages >= copyAtPages) {
          isCopying = true;
          // A copy that fails is tried again after the next writes: the log stays, with everything in it.
          const copied = inTurn("PASSIVE").catch(() => undefined);
          void copied.then(() => {
            isCopying = false;
          });
        }
      } catch {
        // Nothing is lost: the log stays as it is, and is copied after a later write.
      }
    },
    /** Resolves when no copy is under way. Work that writes a lot waits for this, so that the log does not keep growing. */
    settled: () => (isCopying ? last : Promise.resolve()),
    /** Copies the log while others keep working, so that emptying it takes little time afterwards. */
    async copy(): Promise<void> {
      // If this fails, emptying the log fails too, and reports it.
      if (!isShort()) await inTurn("PASSIVE").catch(() => undefined);
    },
    /**
     * Copies the rest of the log and truncates it, if nobody reads it at the moment; not within a transaction. @throws
     * SQLite's error.
     */
    empty: () => inTurn("TRUNCATE"),
    /** Must be called after the file was closed: whoever closes it last copies what is left of the log. */
    close: () => last.then(thread.close),
  };
}

/** The thread that copies, started when it is first needed; `onEnd` is called when it ended by itself. */
function createCopyThread(path: string, onEnd: () => void) {
  let worker: Worker | undefined;
  let pending: PromiseWithResolvers<void> | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), {
      env: {},
      resourceLimits,
      workerData: path,
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
    /** @throws SQLite's error, or why the thread ended. */
    async copy(mode: CheckpointMode): Promise<void> {
      worker ??= start();
      const copying = worker;
      pending = Promise.withResolvers();
      // The process must not end while somebody waits for a copy; otherwise it need not wait for the thread.
      copying.ref();
      try {
        copying.postMessage(mode);
        await pending.promise;
      } finally {
        copying.unref();
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
