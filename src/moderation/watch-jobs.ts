import type { Database } from "../database/index.ts";
import type { Job, JobHandler, Jobs, NewJob, QueueOptions } from "../jobs/index.ts";
import type { ModerationRecords, Watch } from "./records/index.ts";

/** Each watch has one job of each kind. */
export const pollQueue = "moderation.poll";
export const announceQueue = "moderation.announce";

/** So many watches are looked after at once, of all guilds and of one; what hangs is cut off before its time is over. */
export const watchQueueOptions = {
  ...{ concurrency: 24, perServer: 2, timeoutMs: 120_000 },
  waitMs: { first: 5_000, longest: 60_000 },
} as const satisfies QueueOptions;

export interface WatchRef {
  readonly guildId: string;
  readonly watchId: string;
}

/** One work on one watch. */
interface WatchJob extends WatchRef {
  readonly signal: AbortSignal;
}

/** A job of a watch; one that is there is brought forward. */
export function watchJob(
  queue: typeof pollQueue | typeof announceQueue,
  { guildId, watchId }: WatchRef,
  dueAt?: number,
): NewJob {
  return {
    queue,
    key: keyOf({ guildId, watchId }),
    guildId,
    ...(dueAt !== undefined && { dueAt }),
  };
}

export function keyOf({ guildId, watchId }: WatchRef): string {
  return `${guildId}:${watchId}`;
}

/** Both begin at once: the one looks, the other sends what waits. Part of the transaction that is under way. */
export async function startWatchJobs(jobs: Pick<Jobs, "put">, ref: WatchRef): Promise<void> {
  await jobs.put(watchJob(pollQueue, ref));
  await jobs.put(watchJob(announceQueue, ref));
}

export function handlerOf(work: (job: WatchJob) => Promise<number | undefined>): JobHandler {
  return async ({ key, signal }: Job) => {
    const [guildId = "", watchId = ""] = key.split(":");
    return work({ guildId, watchId, signal });
  };
}

/**
 * One transaction while a watch is still the one that was read: answers undefined, with nothing done, where it was stopped
 * or is about another channel by now. @throws ServiceError `store_unavailable`.
 */
export function whileWatched<T>(
  { database, records }: { readonly database: Database; readonly records: ModerationRecords },
  guildId: string,
  { id, source, addedAt }: Watch,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async () => {
    // Nothing is changed; but nobody else changes it until this is over.
    const stored = await records.watches.change(guildId, id, (watch) => watch);
    return stored?.source === source && stored.addedAt === addedAt ? work() : undefined;
  });
}
