import { createCache } from "../../cache.ts";
import type { InteractionContext } from "../../discord/index.ts";
import { newHandle, type StoredFiles } from "../../store/index.ts";

/** Files that are kept for a short while, such as a cut-out that somebody may want in another form. */
export type FileCache = ReturnType<typeof createFileCache>;

interface FileCacheDeps {
  readonly now: () => number;
  /** Where other processes find the files; absent where there are none. */
  readonly stored: StoredFiles | undefined;
  readonly log: Pick<InteractionContext["log"], "warn">;
}

interface CachedFile {
  readonly guildId: string;
  readonly bytes: Uint8Array;
}

const cachedMs = 15 * 60_000;
const maxTotalBytes = 64 * 1024 * 1024;

/** In memory, and sealed in the store where several processes answer. The oldest are dropped first. */
export function createFileCache({ now, stored, log }: FileCacheDeps) {
  const cache = createCache<CachedFile>({
    maxSize: maxTotalBytes,
    sizeOf: ({ bytes }) => Math.max(1, bytes.byteLength),
    maxAgeMs: cachedMs,
    now,
  });
  // A file that can't be stored is still in the memory of this process, and one that can't be read counts as gone.
  const failed = (error: unknown) => log.warn("a file is in this process alone", { error });

  return {
    /** Returns the handle for `get`. Never rejects. */
    async put(guildId: string, bytes: Uint8Array): Promise<string> {
      cache.purgeStale();
      const handle = newHandle();
      cache.set(handle, { guildId, bytes });
      await stored?.put(guildId, handle, bytes).catch(failed);
      return handle;
    },
    /** Undefined if it is too old, was dropped for newer ones, or belongs to another server. Never rejects. */
    async get(guildId: string, handle: string): Promise<Uint8Array | undefined> {
      cache.purgeStale();
      // Not `get`, which would count as a use and keep the file longer.
      const file = cache.peek(handle);
      if (file !== undefined) return file.guildId === guildId ? file.bytes : undefined;
      const read = stored?.get(guildId, handle).catch(failed);
      return (await read) ?? undefined;
    },
    /** Forgets all files of a server that are in this process's memory. */
    forget(guildId: string): void {
      cache.purgeStale();
      for (const [handle, file] of [...cache.entries()]) {
        if (file.guildId === guildId) cache.delete(handle);
      }
    },
  };
}
