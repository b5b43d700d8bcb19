import { type Database, removeInSlices, sql } from "../database/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { forgetOldRecords } from "../moderation/index.ts";
import { platformDataMs, type Store } from "../store/index.ts";

interface RetentionDeps {
  readonly jobs: Pick<Jobs, "handle" | "put">;
  readonly store: Pick<Store, "database" | "credentials">;
  readonly log: Pick<Log, "info">;
}

const queue = "retention";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const queueOptions = {
  concurrency: 1,
  perServer: 1,
  timeoutMs: 6 * hourMs,
  waitMs: { first: 60_000, longest: hourMs },
} as const;
/** For this long people can look up what was spent. */
const spendingMs = 40 * dayMs;

/** Once a day, forgets the video service's data that nobody has read again, and what has expired. */
export function createRetention({ jobs, store, log }: RetentionDeps) {
  const { database, credentials } = store;

  jobs.handle(queue, queueOptions, async () => {
    const begunAt = database.now();
    // A process that died while it erased a server has left rows behind.
    await database.servers.removeLeftovers();
    const forgotten = {
      // A day early, because the next run would be too late.
      titles: await credentials.dropTitles(begunAt - platformDataMs + dayMs),
      ...(await forgetOldRecords(database)),
      ...(await forgetOldSums(database)),
    };
    if (Object.values(forgotten).some((count) => count > 0)) {
      log.info("old records are forgotten", forgotten);
      await database.wipe();
    }
    return begunAt + dayMs;
  });

  return {
    /** Once at each start, and then every day. @throws ServiceError `store_unavailable`. */
    start: () => jobs.put({ queue, key: "daily" }),
  };
}

/** Sums of what was spent, and what has expired. */
async function forgetOldSums(database: Database) {
  const now = database.now();
  const day = new Date(now - spendingMs).toISOString().slice(0, 10);
  const isOld = sql`day < ${day}`;
  const spendingKey = [
    ...["server_id", "day", "project", "bucket", "user_id", "command", "method", "purpose"],
  ];
  return {
    spending: await removeInSlices(database, {
      ...{ table: "spending", key: spendingKey, where: isOld },
    }),
    quotas: await removeInSlices(database, {
      ...{ table: "quota", key: ["project", "day", "bucket"], where: isOld },
    }),
    expired: await removeInSlices(database, {
      ...{ table: "keyv", key: ["key"], where: sql`expires_at <= ${now}`, by: "expires_at" },
    }),
  };
}
