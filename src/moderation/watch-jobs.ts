import type { Database } from "../database/index.ts";
import type { Job, JobHandler, Jobs, NewJob, QueueOptions } from "../jobs/index.ts";
import type { ModerationRecords, Watch } from "./records/index.ts";

/** Each watch has one job in each of these queues. */
export const pollQueue = "moderation.poll";
export const announceQueue = "moderation.announce";

/** How many watches run at once, for all guilds and for one guild. Calls inside have shorter timeouts than the job. */
export const watchQueueOptions = {
  concurrency: 24,
  perServer: 2,
  timeoutMs: 120_000,
  waitMs: { first: 5_000, longest: 60_000 },
} as const satisfies QueueOptions;

export interface WatchRef {
  readonly guildId: string;
  readonly watchId: string;
}

interface WatchJob extends WatchRef {
  readonly signal: AbortSignal;
}

/** The job of a watch; if it already exists, `put` brings it forward. */
export function watchJob(
  queue: typeof pollQueue | typeof announceQueue,
  { guildId, watchId }: WatchRef,
  dueAt?: number,
): NewJob {
  return {
    queue,
    key: watchJobKey({ guildId, watchId }),
    guildId,
    ...(dueAt !== undefined && { dueAt }),
  };
}

export function watchJobKey({ guildId, watchId }: WatchRef): string {
  return `${guildId}:${watchId}`;
}

/** Starts both jobs at once: one polls, the other posts what waits. Takes part in the current transaction. */
export async function startWatchJobs(jobs: Pick<Jobs, "put">, ref: WatchRef): Promise<void> {
  await jobs.put(watchJob(pollQueue, ref));
  await jobs.put(watchJob(announceQueue, ref));
}

export function createWatchJobHandler(
  work: (job: WatchJob) => Promise<number | undefined>,
): JobHandler {
  return async ({ key, signal }: Job) => {
    const [guildId = "", watchId = ""] = key.split(":");
    return work({ guildId, watchId, signal });
  };
}

/**
 * Runs `work` in one transaction if the watch is still the one that was read. Returns undefined, with nothing done, if it was
 * removed or now watches another channel. @throws ServiceError `store_unavailable`.
 */
export function ifStillWatched<T>(
  { database, records }: { readonly database: Database; readonly records: ModerationRecords },
  guildId: string,
  { id, source, addedAt }: Watch,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async () => {
    // Changes nothing, but locks the row until the transaction ends.
    const stored = await records.watches.change(guildId, id, (watch) => watch);
    const isSame = stored?.source === source && stored.addedAt === addedAt;
    return isSame && stored.ended === undefined ? work() : undefined;
  });
}
