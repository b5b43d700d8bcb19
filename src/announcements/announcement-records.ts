import { createRecordTable, type Database, type Tables } from "../database/index.ts";
import type { FeedRef } from "./feed-records.ts";
import type { Announcement } from "./record.ts";

/** What is known about a video without reading its whole record. */
export type KnownVideo = Pick<Tables["announcements"], "state" | "look_at">;

/** Videos of feeds. Every method throws ServiceError `store_unavailable`, and writes also `guild_erased`. */
export type AnnouncementRecords = ReturnType<typeof createAnnouncementRecords>;

const maxAwaited = 50;
const maxDue = 100;

export function createAnnouncementRecords(database: Database) {
  const records = createRecordTable<"announcements", Announcement>(database, {
    table: "announcements",
    key: ["feed_id", "video_id"],
    columnsOf,
  });
  const select = (serverId: number, { feedId }: FeedRef) =>
    database.db
      .selectFrom("announcements")
      .where("server_id", "=", serverId)
      .where("feed_id", "=", feedId);
  return {
    /** Adds videos that are new; all in one statement, because a channel's first poll finds 50. */
    async add(ref: FeedRef, met: readonly Announcement[]): Promise<void> {
      if (met.length === 0) return;
      const server_id = await findServerId(database, ref);
      const rows = met.map((one) => ({
        server_id,
        feed_id: ref.feedId,
        video_id: one.videoId,
        ...columnsOf(one),
        data: JSON.stringify(one),
      }));
      await database.db
        .insertInto("announcements")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    change: <T extends Announcement | undefined>(
      { guildId, feedId }: FeedRef,
      videoId: string,
      make: (stored: Announcement | undefined) => T,
    ): Promise<T> => records.change(guildId, [feedId, videoId], make),
    /** Forgets videos that came out before then, unless they are listed or still awaited. */
    async forget(ref: FeedRef, before: number, listed: readonly string[]): Promise<void> {
      await database.db
        .deleteFrom("announcements")
        .where("server_id", "=", await findServerId(database, ref))
        .where("feed_id", "=", ref.feedId)
        .where("at", "<", before)
        .where("state", "!=", "due")
        .where("look_at", "is", null)
        .$if(listed.length > 0, (rows) => rows.where("video_id", "not in", [...listed]))
        .execute();
    },
    /** The records of these videos, if there are any, by id. */
    async known(
      ref: FeedRef,
      videoIds: readonly string[],
    ): Promise<ReadonlyMap<string, KnownVideo>> {
      if (videoIds.length === 0) return new Map();
      const rows = await select(await findServerId(database, ref), ref)
        .where("video_id", "in", [...new Set(videoIds)])
        .select(["video_id", "state", "look_at"])
        .execute();
      return new Map(rows.map((row) => [row.video_id, row]));
    },
    /** Ids of awaited videos that are due to be read again, at most 50. */
    async awaited(ref: FeedRef, now: number): Promise<readonly string[]> {
      const rows = await select(await findServerId(database, ref), ref)
        .where("state", "=", "awaited")
        .where("look_at", "<=", now)
        .select("video_id")
        .orderBy("look_at")
        .limit(maxAwaited)
        .execute();
      return rows.map(({ video_id }) => video_id);
    },
    /** When the next awaited video is due to be read again, or the next posted one to get what it lacks. */
    async nextLookAt(
      ref: FeedRef,
      state: "awaited" | "due" = "awaited",
    ): Promise<number | undefined> {
      const row = await select(await findServerId(database, ref), ref)
        .where("state", "=", state)
        .select(({ fn }) => fn.min("look_at").as("at"))
        .executeTakeFirst();
      return row?.at ?? undefined;
    },
    /** Due announcements that need not wait, the oldest first, at most 100. */
    async due(ref: FeedRef, now: number): Promise<readonly Announcement[]> {
      const rows = await select(await findServerId(database, ref), ref)
        .where("state", "=", "due")
        .where((row) => row.or([row("look_at", "is", null), row("look_at", "<=", now)]))
        .select("data")
        .orderBy("at")
        .limit(maxDue)
        .execute();
      return rows
        .map(({ data }) => JSON.parse(data) as Announcement)
        .sort((one, other) => (one.publishedAt ?? 0) - (other.publishedAt ?? 0));
    },
  };
}

/** 0, which no server has, where the server is unknown. */
async function findServerId({ servers }: Database, { guildId }: FeedRef): Promise<number> {
  return (await servers.find(guildId)) ?? 0;
}

function columnsOf({ state, lookAt, at, publishedAt }: Announcement) {
  return { state, look_at: lookAt ?? null, at: Math.max(at, publishedAt ?? 0) };
}
