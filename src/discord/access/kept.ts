import { randomBytes } from "node:crypto";

/** Files of a guild that are worth keeping for a short while, such as a cut-out somebody may want in another form. */
export interface Kept {
  /** Answers the handle that gets it back. */
  put(guildId: string, bytes: Uint8Array): string;
  /** Undefined once it is too old, or gave way to newer ones, or belongs to another guild. */
  get(guildId: string, handle: string): Uint8Array | undefined;
  /** Lets go of everything of a guild. */
  forget(guildId: string): void;
}

interface Entry {
  readonly guildId: string;
  readonly bytes: Uint8Array;
  readonly until: number;
}

const keptMs = 15 * 60_000;
const mostBytes = 64 * 1024 * 1024;

/** In memory only: pictures of people are never written to a disk. The oldest give way. */
export function createKept(now: () => number): Kept {
  const entries = new Map<string, Entry>();
  let total = 0;

  const remove = (handle: string, { bytes }: Entry) => {
    entries.delete(handle);
    total -= bytes.byteLength;
  };
  /** Insertion order is age. */
  const makeRoom = (wanted: number) => {
    for (const [handle, entry] of entries) {
      if (entry.until > now() && total + wanted <= mostBytes) return;
      remove(handle, entry);
    }
  };

  return {
    put(guildId, bytes) {
      const handle = randomBytes(16).toString("base64url");
      if (bytes.byteLength > mostBytes) return handle;
      makeRoom(bytes.byteLength);
      entries.set(handle, { guildId, bytes, until: now() + keptMs });
      total += bytes.byteLength;
      return handle;
    },
    get(guildId, handle) {
      makeRoom(0);
      const entry = entries.get(handle);
      return entry?.guildId === guildId ? entry.bytes : undefined;
    },
    forget(guildId) {
      for (const [handle, entry] of entries) if (entry.guildId === guildId) remove(handle, entry);
    },
  };
}
