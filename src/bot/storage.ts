import { unsubscribeJobs } from "../announcements/index.ts";
import { createTimerClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { openDatabase, waitForDatabase } from "../database/index.ts";
import { createJobs } from "../jobs/index.ts";
import { revocationJob } from "../oauth/index.ts";
import { createStore } from "../store/index.ts";
import type { RoomsDeps } from "./rooms-deps.ts";

/**
 * Opens the database with its jobs and stores. While a PostgreSQL server is away, this waits for it.
 * @throws ConfigError for a database or master keys that can't be used.
 */
export async function openStorage(
  config: Config,
  options: Pick<RoomsDeps, "log" | "secrets"> & Partial<Pick<RoomsDeps, "now" | "random">>,
) {
  const { log, secrets, now, random = Math.random } = options;
  const { url, keys } = config.store;
  let isWaiting = false;
  const onWait = (error: Error) => {
    isWaiting = true;
    log.warn("waiting for the database", { error });
  };
  const storage = await waitForDatabase({ url, onWait }, async () => {
    const database = await openDatabase({ url, now, onWarning: log.warn, isAlone: true });
    const jobs = createJobs({
      database,
      random,
      clock: createTimerClock(now ?? Date.now),
      log: log.child({ room: "jobs" }),
      isAlone: database.dialect === "sqlite",
    });
    try {
      const store = await createStore({
        database,
        keys,
        onSecret: (secret) => secrets.addPassing(secret),
        onRevocation: (revocation) => jobs.put(revocationJob(revocation)),
        onPushesErased: async (pushes) => {
          for (const job of unsubscribeJobs(pushes, database.now())) await jobs.put(job);
        },
      });
      return { jobs, store };
    } catch (error) {
      await database.close();
      throw error;
    }
  });
  if (isWaiting) log.info("the database is there");
  return storage;
}
