import { createRecordTable, type Database } from "../database/index.ts";
import type { Feed, FeedProgress, StoredFeed } from "./record.ts";

/** One feed of one server. */
export interface FeedRef {
  readonly guildId: string;
  readonly feedId: string;
}

/** Feeds and their progress. Every method throws ServiceError `store_unavailable`, and writes also `guild_erased`. */
export type FeedRecords = ReturnType<typeof createFeedRecords>;

export function createFeedRecords(database: Database) {
  const { db, dialect, servers } = database;
  const feeds = createRecordTable<"feeds", Feed>(database, {
    table: "feeds",
    key: ["id"],
    columnsOf: ({ source, addedAt }) => ({ source, added_at: addedAt }),
  });
  const progress = createRecordTable<"feeds", FeedProgress>(database, {
    table: "feeds",
    key: ["id"],
    column: "progress",
    columnsOf: ({ project, looksADay }) =>
      // The types don't require columns with a default, but both must always be written here.
      ({ project: project ?? null, looks_a_day: looksADay ?? 0 }) as object,
  });
  async function allStored(guildId: string): Promise<readonly StoredFeed[]> {
    const serverId = await servers.find(guildId);
    if (serverId === undefined) return [];
    const rows = await ofServer(database, serverId).orderBy("added_at").orderBy("id").execute();
    return rows.map(({ data, progress }) => ({
      feed: JSON.parse(data),
      progress: JSON.parse(progress),
    }));
  }
  return {
    /** The oldest feed comes first. */
    allStored,
    all: async (guildId: string): Promise<readonly Feed[]> =>
      (await allStored(guildId)).map(({ feed }) => feed),
    async read({ guildId, feedId }: FeedRef): Promise<StoredFeed | undefined> {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return undefined;
      const row = await ofServer(database, serverId).where("id", "=", feedId).executeTakeFirst();
      return row && { feed: JSON.parse(row.data), progress: JSON.parse(row.progress) };
    },
    /** The feed of that channel; nobody can begin another one until the transaction is over. */
    async findBySource(guildId: string, source: string): Promise<Feed | undefined> {
      const serverId = await servers.need(guildId);
      const server = db.selectFrom("servers").select("id").where("id", "=", serverId);
      // SQLite has one writer at a time anyway.
      if (dialect === "postgres") await server.forNoKeyUpdate().execute();
      const row = await ofServer(database, serverId)
        .where("source", "=", source)
        .executeTakeFirst();
      return row && JSON.parse(row.data);
    },
    changeFeed: <T extends Feed | undefined>(
      { guildId, feedId }: FeedRef,
      make: (stored: Feed | undefined) => T,
    ): Promise<T> => feeds.change(guildId, [feedId], make),
    /** Undefined if there is no such feed. */
    changeProgress: (
      { guildId, feedId }: FeedRef,
      make: (stored: FeedProgress) => FeedProgress,
    ): Promise<FeedProgress | undefined> =>
      progress.change(guildId, [feedId], (stored) => stored && make(stored)),
    /** Removes a feed and everything that belongs to it, and runs `last` in the same transaction; returns whether it existed. */
    async remove({ guildId, feedId }: FeedRef, last: () => Promise<unknown>): Promise<boolean> {
      const serverId = await servers.find(guildId);
      if (serverId === undefined) return false;
      return servers.remove({ table: "feeds", serverId, id: feedId }, async () => {
        // Changes nothing, but locks the row until the transaction ends.
        const stored = await feeds.change(guildId, [feedId], (feed) => feed);
        if (stored === undefined) return false;
        await last();
        return true;
      });
    },
    /** How many feeds are polled with that project. */
    async countIn(project: string): Promise<number> {
      const row = await db
        .selectFrom("feeds")
        .select(({ fn }) => fn.countAll<number | string>().as("count"))
        .where("project", "=", project)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    /** How many polls a day all feeds of a project want. */
    async looksADay(project: string): Promise<number> {
      const row = await db
        .selectFrom("feeds")
        .select(({ fn }) => fn.sum<number | null>("looks_a_day").as("looks"))
        .where("project", "=", project)
        .executeTakeFirst();
      return row?.looks ?? 0;
    },
  };
}

function ofServer({ db }: Database, serverId: number) {
  return db.selectFrom("feeds").select(["data", "progress"]).where("server_id", "=", serverId);
}
