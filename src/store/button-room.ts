import { setImmediate as nextTurn } from "node:timers/promises";
import { type Database, sql } from "../database/index.ts";

/** A reply with buttons, and what it takes. */
interface ButtonBytes {
  /** Of its row in keyv. */
  readonly key: string;
  readonly userId: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** What keeps a row costs so much at least, however little stands in it. */
const leastBytes = 256;
/** SQLite answers at once, so that other work is let in now and then. */
const withoutPause = 20;

/** How much a guild's buttons may take together, so that nobody fills the disk with them. */
export function createButtonRoom({ db, servers, now }: Database, maxGuildBytes: number) {
  const live = (serverId: number) =>
    db
      .selectFrom("continuations")
      .where("server_id", "=", serverId)
      .where("expires_at", ">", now());

  async function heldByPerson(serverId: number): Promise<Map<string, number>> {
    const sum = sql<number>`cast(sum(bytes) as integer)`.as("held");
    const rows = await live(serverId).select(["user_id", sum]).groupBy("user_id").execute();
    return new Map(rows.map(({ user_id, held }) => [user_id, held]));
  }

  const oldestOf = (serverId: number, userId: string, but: string) =>
    live(serverId)
      .select(["key", "bytes"])
      .where("user_id", "=", userId)
      .where("key", "<>", but)
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();

  /** The oldest of whoever has most goes, so that nobody loses buttons to somebody else's many; never the new one. */
  async function makeRoom(
    serverId: number,
    held: Map<string, number>,
    newest: string,
  ): Promise<void> {
    let missing = sumOf(held) - maxGuildBytes;
    for (let dropped = 1; missing > 0; dropped += 1) {
      const userId = mostOf(held);
      if (userId === undefined) return;
      const oldest = await oldestOf(serverId, userId, newest);
      if (oldest === undefined) {
        held.delete(userId);
        continue;
      }
      // Its line here goes with it.
      await db.deleteFrom("keyv").where("key", "=", oldest.key).execute();
      held.set(userId, (held.get(userId) ?? 0) - oldest.bytes);
      missing -= oldest.bytes;
      if (dropped % withoutPause === 0) await nextTurn();
    }
  }

  return {
    /** Part of the transaction that writes the row. */
    async take(guildId: string, { key, userId, expiresAt, ...one }: ButtonBytes): Promise<void> {
      const server_id = await servers.need(guildId);
      const bytes = Math.max(leastBytes, one.bytes);
      const row = { key, server_id, user_id: userId, bytes, expires_at: Math.ceil(expiresAt) };
      await db.insertInto("continuations").values(row).execute();
      await makeRoom(server_id, await heldByPerson(server_id), key);
    },
  };
}

function sumOf(held: ReadonlyMap<string, number>): number {
  return [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function mostOf(held: ReadonlyMap<string, number>): string | undefined {
  let found: string | undefined;
  for (const [userId, bytes] of held) {
    if (bytes > (held.get(found ?? "") ?? -1)) found = userId;
  }
  return found;
}
