import { deflateRawSync, inflateRawSync } from "node:zlib";
import { checkGuildId } from "../database/index.ts";
import { createButtonRoom } from "./button-room.ts";
import { answer, change } from "./failure.ts";
import { isHandle, newHandle } from "./ids.ts";
import type { KeyedRecords } from "./records.ts";

/**
 * Longest that something of the video service's is kept without having been read again. Its developer policies are said to
 * set this limit (facts/video-api-notes.md, 11, marked as unread); it is our rule either way.
 */
export const platformDataMs = 30 * 24 * 3_600_000;

/** Comments wait for a decision for 60 days at most (facts/discord.md: Held comments). */
const waitingMs = 61 * 24 * 3_600_000;

/** Some 4,000 replies with buttons. */
const usualMaxGuildBytes = 4 * 1024 * 1024;
/** Below this many characters a state is not worth packing. */
const leastPacked = 512;

/** What a button, select or form stands for, kept so that it works after a restart. */
interface Continuation {
  readonly guildId: string;
  /** The person whose reply it hangs on. */
  readonly userId: string;
  /** JSON-shaped; the action's own state by component. */
  readonly state: unknown;
}

export type Continuations = ReturnType<typeof createContinuations>;

/** As it is stored: the buttons of a list say nearly the same each, so a long state is packed. */
interface StoredContinuation extends Pick<Continuation, "guildId" | "userId"> {
  readonly state?: unknown;
  readonly packed?: string;
}

/**
 * What buttons, selects and forms stand for. A handle comes from outside: anything but its shape is simply not there.
 * What `put` writes takes of a guild's room, and over it the oldest of whoever has most there goes; what `putAs` writes
 * takes none, so that nobody's searches reach the cards of a queue.
 */
export function createContinuations(records: KeyedRecords, maxGuildBytes = usualMaxGuildBytes) {
  const { database } = records;
  const room = createButtonRoom(database, maxGuildBytes);
  const at = (handle: string) => ({ namespace: "continuation", key: handle }) as const;

  return {
    /** For 30 days at most. Answers a handle of 128 random bits, base64url (22 characters). @throws ServiceError `store_unavailable`. */
    put: ({ guildId, userId, state }: Continuation, ttlMs: number) =>
      change(async () => {
        const handle = newHandle();
        const stored = pack({ guildId: checkGuildId(guildId), userId, state });
        // Keyv takes a time of 0 for no end at all.
        const keptMs = Math.min(Math.max(1, ttlMs), platformDataMs);
        await database.transaction(async () => {
          await records.set({ ...at(handle), guildId }, stored, keptMs);
          const bytes = JSON.stringify(stored).length;
          const expiresAt = database.now() + keptMs;
          await room.take(guildId, { key: `continuation:${handle}`, userId, bytes, expiresAt });
        });
        return handle;
      }),
    /**
     * The same under a handle that was chosen before, and as long as a message with it may wait for an answer: for states
     * that hold nothing but ids. @throws ServiceError `store_unavailable`; TypeError for what is no handle.
     */
    putAs: async (handle: string, { guildId, userId, state }: Continuation) => {
      if (!isHandle(handle)) throw new TypeError("a handle has 22 characters of base64url");
      const stored = pack({ guildId: checkGuildId(guildId), userId, state });
      await change(() => records.set({ ...at(handle), guildId }, stored, waitingMs));
    },
    read: (handle: string) =>
      answer(async () => {
        const stored = isHandle(handle) ? await records.get(at(handle)) : undefined;
        return stored === undefined ? undefined : unpack(stored as StoredContinuation);
      }),
    remove: (handle: string) =>
      change(async () => {
        if (isHandle(handle)) await records.remove(at(handle));
      }),
  };
}

function pack({ guildId, userId, state }: Continuation): StoredContinuation {
  const text = JSON.stringify(state);
  if (text.length < leastPacked) return { guildId, userId, state };
  return { guildId, userId, packed: deflateRawSync(text).toString("base64") };
}

function unpack({ guildId, userId, state, packed }: StoredContinuation): Continuation {
  if (packed === undefined) return { guildId, userId, state };
  const text = inflateRawSync(Buffer.from(packed, "base64")).toString();
  return { guildId, userId, state: JSON.parse(text) };
}
