import { dayMs, hourMs } from "../clock.ts";
import { type Database, removeInSlices, sql } from "../database/index.ts";
import type { Discord } from "../discord/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Log } from "../log.ts";
import { forgetOldRecords } from "../moderation/index.ts";
import { type Store, youtubeDataMs } from "../store/index.ts";

interface RetentionDeps {
  readonly jobs: Pick<Jobs, "handle" | "put">;
  readonly discord: Promise<Pick<Discord, "reconcile">>;
  readonly store: Pick<Store, "database" | "credentials">;
  readonly log: Pick<Log, "info" | "warn">;
}

const queue = "retention";
const queueOptions = {
  concurrency: 1,
  perServer: 1,
  timeoutMs: 6 * hourMs,
  waitMs: { first: 60_000, longest: hourMs },
} as const;
/** What lives for minutes is removed often, so that there are never many. */
const shortQueue = "retention-short";
const shortMs = 60_000;
/** For this long people can look up what was spent. */
const spendingMs = 40 * dayMs;

const reconcileQueue = "reconcile";
const reconcileMs = 6 * hourMs;
/** Several connections that begin anew are answered by one comparison. */
const reconcileSoonMs = 5_000;

/**
 * Once a day, forgets YouTube's data that nobody has read again, and what has expired; every six hours, what is
 * stored about servers that have removed the bot.
 */
export function createRetention({ jobs, store, discord, log }: RetentionDeps) {
  const { database, credentials } = store;

  jobs.handle(queue, queueOptions, async () => {
    const begunAt = database.now();
    // A process that died while it erased a server has left rows behind.
    await database.servers.removeLeftovers();
    const forgotten = {
      // A day early, because the next run would be too late.
      titles: await credentials.dropTitles(begunAt - youtubeDataMs + dayMs),
      ...(await forgetOldRecords(database)),
      ...(await forgetOldSpending(database)),
    };
    if (Object.values(forgotten).some((count) => count > 0)) {
      log.info("old records are forgotten", forgotten);
      await database.wipe();
    }
    return begunAt + dayMs;
  });

  jobs.handle(shortQueue, queueOptions, async () => {
    for (const table of ["interactions", "rates", "files"] as const) {
      await removeExpired(database, table);
    }
    return database.now() + shortMs;
  });

  jobs.handle(reconcileQueue, queueOptions, async ({ signal }) => {
    await (await discord).reconcile(signal);
    return database.now() + reconcileMs;
  });
  const reconcile = (dueAt?: number) => jobs.put({ queue: reconcileQueue, key: "servers", dueAt });

  return {
    /** Once at each start, and then again and again. @throws ServiceError `store_unavailable`. */
    start: async () => {
      await jobs.put({ queue, key: "daily" });
      await jobs.put({ queue: shortQueue, key: "minute" });
      await reconcile();
    },
    /** Looks soon for servers that have removed the bot. Never throws: the next look comes anyway. */
    reconcileSoon: () => {
      reconcile(database.now() + reconcileSoonMs).catch((error: unknown) =>
        log.warn("the list of servers is not compared now", { error }),
      );
    },
  };
}

/** Sums of what was spent, and what has expired. */
async function forgetOldSpending(database: Database) {
  const day = new Date(database.now() - spendingMs).toISOString().slice(0, 10);
  const isOld = sql`day < ${day}`;
  const quotaKey = ["project", "day", "bucket"];
  const spendingKey = "server_id day project bucket user_id command method purpose".split(" ");
  return {
    spending: await removeInSlices(database, { table: "spending", key: spendingKey, where: isOld }),
    quotas: await removeInSlices(database, { table: "quota", key: quotaKey, where: isOld }),
    expired: await removeExpired(database, "keyv"),
    rates: await removeExpired(database, "rates"),
    files: await removeExpired(database, "files"),
  };
}

const expiringKeys = { keyv: "key", rates: "key", files: "id", interactions: "id" } as const;

function removeExpired(database: Database, table: keyof typeof expiringKeys): Promise<number> {
  const where = sql`expires_at <= ${database.now()}`;
  const key = [expiringKeys[table]];
  return removeInSlices(database, { table, key, where, by: "expires_at" });
}
