import { randomBytes } from "node:crypto";
import { createCache } from "../../cache.ts";

/** Files of a guild that are worth keeping for a short while, such as a cut-out somebody may want in another form. */
export interface FileCache {
  /** Answers the handle that gets it back. */
  put(guildId: string, bytes: Uint8Array): string;
  /** Undefined once it is too old, or gave way to newer ones, or belongs to another guild. */
  get(guildId: string, handle: string): Uint8Array | undefined;
  /** Lets go of everything of a guild. */
  forget(guildId: string): void;
}

interface CachedFile {
  readonly guildId: string;
  readonly bytes: Uint8Array;
}

const cachedMs = 15 * 60_000;
const maxTotalBytes = 64 * 1024 * 1024;

/** In memory only: pictures of people are never written to a disk. The oldest give way. */
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
      // Not `get`: a file that is used is no younger for it.
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
