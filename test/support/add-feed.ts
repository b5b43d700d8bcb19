import { createFeedRecords } from "../../src/announcements/feed-records.ts";
import type { Feed } from "../../src/announcements/index.ts";
import type { Database } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";

/** Adds a feed with this id, as if a person had just begun it. */
export async function addFeed(database: Database, guildId: string, feed: Feed): Promise<void> {
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const clock = { now: database.now, after: () => () => undefined };
  const jobs = createJobs({ database, clock, random: Math.random, log });
  await database.transaction(async () => {
    await createFeedRecords(database).changeFeed({ guildId, feedId: feed.id }, () => feed);
    await jobs.put({ queue: "feeds.look", key: `${guildId}:${feed.id}`, guildId });
  });
}
