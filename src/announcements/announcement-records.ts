import { createRecordTable, type Database, type Tables } from "../database/index.ts";
import type { FeedRef } from "./feed-records.ts";
import type { Announcement } from "./record.ts";

/** What is known about a video without reading its whole record. */
export type KnownVideo = Pick<Tables["announcements"], "state" | "look_at">;

/** Videos of feeds. Every method throws ServiceError `store_unavailable`, and writes also `guild_erased`. */
export type AnnouncementRecords = ReturnType<typeof createAnnouncementRecords>;

/** As many as ten units read. */
const maxLooks = 500;
const maxDue = 500;

const followedStates: readonly Announcement["state"][] = ["followed", "behind"];
/** The states of videos that are read again. */
const readStates: readonly Announcement["state"][] = ["awaited", ...followedStates];

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
  /** The videos of all feeds that must be read again. Not those that are due: their time says when to send them. */
  const looksOf = (serverId: number) =>
    database.db
      .selectFrom("announcements")
      .where("server_id", "=", serverId)
      .where("look_at", "is not", null)
      .where("state", "!=", "due");
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
    read: ({ guildId, feedId }: FeedRef, videoId: string): Promise<Announcement | undefined> =>
      records.read(guildId, feedId, videoId),
    /** The awaited and followed videos of these feeds that are due to be read again, those that wait longest first; at most 500. */
    async toRead(
      guildId: string,
      feedIds: readonly string[],
      now: number,
    ): Promise<
      readonly { readonly feedId: string; readonly videoId: string; readonly lookAt: number }[]
    > {
      const rows = await looksOf(await findServerId(database, { guildId }))
        .where("feed_id", "in", feedIds)
        .where("look_at", "<=", now)
        .select(["feed_id", "video_id", "look_at"])
        .orderBy("look_at")
        .limit(maxLooks)
        .execute();
      return rows.map(({ feed_id, video_id, look_at }) => {
        return { feedId: feed_id, videoId: video_id, lookAt: look_at ?? now };
      });
    },
    /** When the next video of a server is due to be read again, among those of these feeds. */
    async nextLookOfServer(
      guildId: string,
      feedIds: readonly string[],
    ): Promise<number | undefined> {
      if (feedIds.length === 0) return undefined;
      const row = await looksOf(await findServerId(database, { guildId }))
        .where("feed_id", "in", feedIds)
        .select("look_at")
        .orderBy("look_at")
        .limit(1)
        .executeTakeFirst();
      return row?.look_at ?? undefined;
    },
    /** The streams that are followed, of one feed or of all of a server. */
    async followed({
      guildId,
      feedId,
    }: Pick<FeedRef, "guildId"> & Partial<FeedRef>): Promise<readonly Announcement[]> {
      const rows = await database.db
        .selectFrom("announcements")
        .where("server_id", "=", await findServerId(database, { guildId }))
        .where("state", "in", followedStates)
        .$if(feedId !== undefined, (all) => all.where("feed_id", "=", feedId ?? ""))
        .select("data")
        .execute();
      return rows.map(({ data }) => JSON.parse(data) as Announcement);
    },
    /** When the feed's next awaited or followed video is due to be read again, or the next posted one to get what it lacks. */
    async nextLookOfFeed(ref: FeedRef, of: "read" | "due" = "read"): Promise<number | undefined> {
      const row = await select(await findServerId(database, ref), ref)
        .where("state", "in", of === "due" ? ["due"] : readStates)
        .select(({ fn }) => fn.min("look_at").as("at"))
        .executeTakeFirst();
      return row?.at ?? undefined;
    },
    /** Due announcements that need not wait, and streams whose messages are behind; the oldest first, at most 500. */
    async due(ref: FeedRef, now: number): Promise<readonly Announcement[]> {
      const rows = await select(await findServerId(database, ref), ref)
        .where((row) =>
          row.or([
            row("state", "=", "behind"),
            row("state", "=", "due").and("look_at", "is", null),
            row("state", "=", "due").and("look_at", "<=", now),
          ]),
        )
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
async function findServerId(
  { servers }: Database,
  { guildId }: Pick<FeedRef, "guildId">,
): Promise<number> {
  return (await servers.find(guildId)) ?? 0;
}

function columnsOf({ state, lookAt, at, publishedAt }: Announcement) {
  return { state, look_at: lookAt ?? null, at: Math.max(at, publishedAt ?? 0) };
}
