import { setImmediate as nextTurn } from "node:timers/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createCache } from "../cache.ts";
import { checkSnowflake, type Database, sql, type Tables } from "../database/index.ts";
import { readStore, writeStore } from "./failure.ts";
import { isHandle, newHandle } from "./ids.ts";
import type { KeyedRecords } from "./records.ts";

/** Longest time for which YouTube's data is stored without being read again: docs/services/youtube.md#stored-data */
export const youtubeDataMs = 30 * 24 * 3_600_000;

/** Comments wait for a decision for 60 days at most: docs/services/youtube.md#held-comments */
const waitingMs = 61 * 24 * 3_600_000;

/** Enough for some 4,000 replies with buttons. */
const usualMaxServerBytes = 4 * 1024 * 1024;
/** A shorter state is not worth compressing. */
const leastPacked = 512;

/** What a button, select or form stands for, stored so that it works after a restart. */
interface Continuation {
  readonly guildId: string;
  /** The person whom the reply answers. */
  readonly userId: string;
  /** JSON-shaped; the action's own state by component. */
  readonly state: unknown;
}

export type Continuations = ReturnType<typeof createContinuations>;

/** The stored form. The buttons of a list have nearly the same state, so a long state is compressed. */
interface StoredContinuation extends Pick<Continuation, "guildId" | "userId"> {
  readonly state?: unknown;
  readonly packed?: string;
}

/**
 * What buttons, selects and forms stand for. A handle comes from outside, so anything of another shape counts as absent.
 * What `put` writes counts towards a server's limit; over the limit, the oldest record of the person who has most is removed.
 * What `putAs` writes does not count, so that nobody's searches push out the cards of a queue.
 */
export function createContinuations(records: KeyedRecords, maxServerBytes = usualMaxServerBytes) {
  const { database } = records;
  const room = createButtonRoom(database, maxServerBytes);
  const at = (handle: string) => ({ namespace: "continuation", key: handle }) as const;

  return {
    /**
     * Stores it for 30 days at most. Returns a handle of 128 random bits, base64url (22 characters). @throws ServiceError
     * `store_unavailable`.
     */
    put: ({ guildId, userId, state }: Continuation, ttlMs: number) =>
      writeStore(async () => {
        const handle = newHandle();
        const stored = pack({ guildId: checkSnowflake(guildId), userId, state });
        // Keyv takes 0 to mean that the record never expires.
        const keptMs = Math.min(Math.max(1, ttlMs), youtubeDataMs);
        const isRoomDue = await database.transaction(async () => {
          await records.set({ ...at(handle), guildId }, stored, keptMs);
          return room.take(guildId, {
            key: `continuation:${handle}`,
            user_id: userId,
            bytes: Math.max(leastBytes, JSON.stringify(stored).length),
            expires_at: Math.ceil(database.now() + keptMs),
          });
        });
        // If that fails, a later one makes room.
        if (isRoomDue) {
          await room.makeRoom(guildId, `continuation:${handle}`).catch(() => undefined);
        }
        return handle;
      }),
    /**
     * The same under a given handle, stored for as long as a message with it may wait for an answer. Only for states that
     * contain nothing but ids. @throws ServiceError `store_unavailable`; TypeError for what is no handle.
     */
    putAs: async (handle: string, { guildId, userId, state }: Continuation) => {
      if (!isHandle(handle)) throw new TypeError("a handle has 22 characters of base64url");
      const stored = pack({ guildId: checkSnowflake(guildId), userId, state });
      await writeStore(() => records.set({ ...at(handle), guildId }, stored, waitingMs));
    },
    read: (handle: string) =>
      readStore(async () => {
        const stored = isHandle(handle) ? await records.get(at(handle)) : undefined;
        return stored === undefined ? undefined : unpack(stored as StoredContinuation);
      }),
    remove: (handle: string) =>
      writeStore(async () => {
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

/** A record counts as at least this many bytes, however little is in it. */
const leastBytes = 256;
/** What a server has is summed up whenever a process has written this share of the limit: each sum reads all its records. */
const uncheckedShare = 1 / 64;
const maxServers = 10_000;
/** One statement removes no more: SQLite answers within the same turn of the event loop. */
const mostRemoved = 50;

/** Limits how much a server's buttons may take together, so that nobody fills the disk with them. */
function createButtonRoom({ db, servers, now, skipLocked }: Database, maxServerBytes: number) {
  /** How much more may be written for a server before its records are summed up again. */
  const uncheckedCache = createCache<number>({ maxSize: maxServers });
  const live = (serverId: number) =>
    db
      .selectFrom("continuations")
      .where("server_id", "=", serverId)
      .where("expires_at", ">", now());

  /** Removes a person's oldest records of about that size together, but never `newest`; returns how much they took. */
  async function removeOldest(
    people: ReturnType<typeof live>,
    { userId, newest, bytes }: { userId: string; newest: string; bytes: number },
  ): Promise<number> {
    const oldest = await people
      .select(["key", "bytes"])
      .where("user_id", "=", userId)
      .where("key", "<>", newest)
      .orderBy("id")
      .limit(mostRemoved)
      .execute();
    const keys: string[] = [];
    let removed = 0;
    for (const one of oldest) {
      if (removed >= bytes) break;
      keys.push(one.key);
      removed += one.bytes;
    }
    if (keys.length === 0) return 0;
    // Those that another process removes at this moment are not waited for. What is in `continuations` is deleted along.
    await sql`
      delete from keyv where key in (
        select key from keyv where key in (${sql.join(keys)}) ${skipLocked})`.execute(db);
    return removed;
  }

  return {
    /** Must be called within the transaction that writes the record. Returns whether `makeRoom` is due. */
    async take(guildId: string, row: Omit<Tables["continuations"], "id" | "server_id">) {
      const server_id = await servers.need(guildId);
      await db
        .insertInto("continuations")
        .values({ ...row, server_id })
        .execute();
      const left = (uncheckedCache.get(guildId) ?? 0) - row.bytes;
      uncheckedCache.set(guildId, left < 0 ? maxServerBytes * uncheckedShare : left);
      return left < 0;
    },
    /**
     * Removes the oldest records of the person who has most, but never the new one. So nobody loses buttons because somebody
     * else has many. Outside the transaction that writes the record: others wait for what that holds.
     */
    async makeRoom(guildId: string, newest: string): Promise<void> {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return;
      const sum = sql<number>`cast(sum(bytes) as integer)`.as("sum");
      const rows = await live(serverId).select(["user_id", sum]).groupBy("user_id").execute();
      const held = new Map(rows.map((row) => [row.user_id, row.sum]));
      const all = rows.reduce((total, row) => total + row.sum, 0);
      for (let missing = all - maxServerBytes; missing > 0; ) {
        const [most, next] = [...held].toSorted(([, a], [, b]) => b - a);
        if (most === undefined) return;
        const [userId, bytes] = most;
        const surplus = bytes - (next?.[1] ?? 0);
        const wanted = Math.min(missing, Math.max(surplus, 1));
        const removed = await removeOldest(live(serverId), { userId, newest, bytes: wanted });
        if (removed === 0) held.delete(userId);
        else held.set(userId, bytes - removed);
        missing -= removed;
        await nextTurn();
      }
    },
  };
}
