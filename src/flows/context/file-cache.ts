import { randomBytes } from "node:crypto";
import { createCache } from "../../cache.ts";

/** Files that are kept for a short while, such as a cut-out that somebody may want in another form. */
export interface FileCache {
  /** Returns the handle for `get`. */
  put(guildId: string, bytes: Uint8Array): string;
  /** Undefined if it is too old, was dropped for newer ones, or belongs to another guild. */
  get(guildId: string, handle: string): Uint8Array | undefined;
  /** Forgets all files of a guild. */
  forget(guildId: string): void;
}

interface CachedFile {
  readonly guildId: string;
  readonly bytes: Uint8Array;
}

const cachedMs = 15 * 60_000;
const maxTotalBytes = 64 * 1024 * 1024;

/** In memory only: pictures of people are never written to a disk. The oldest are dropped first. */
export function createFileCache(now: () => number): FileCache {
  const cache = createCache<CachedFile>({
    maxSize: maxTotalBytes,
    sizeOf: ({ bytes }) => Math.max(1, bytes.byteLength),
    maxAgeMs: cachedMs,
    now,
  });

  return {
    put(guildId, bytes) {
      cache.purgeStale();
      const handle = randomBytes(16).toString("base64url");
      cache.set(handle, { guildId, bytes });
      return handle;
    },
    get(guildId, handle) {
      cache.purgeStale();
      // Not `get`, which would count as a use and keep the file longer.
      const file = cache.peek(handle);
      return file?.guildId === guildId ? file.bytes : undefined;
    },
    forget(guildId) {
      cache.purgeStale();
      for (const [handle, file] of [...cache.entries()]) {
        if (file.guildId === guildId) cache.delete(handle);
      }
    },
  };
}
