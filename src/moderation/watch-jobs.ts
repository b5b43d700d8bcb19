import type { Jobs, NewJob, QueueOptions } from "../jobs/index.ts";
import type { Watch } from "./records/index.ts";
import type { ModerationRoom } from "./room.ts";

/** Each watch has one job in each of these queues, and one in the last while it ends. */
export const pollQueue = "moderation.poll";
export const announceQueue = "moderation.announce";
export const endQueue = "moderation.end";

/** How many watches run at once, for all servers and for one. Calls inside have shorter timeouts than the job. */
const queueOptions = {
  concurrency: 24,
  perServer: 2,
  timeoutMs: 120_000,
  waitMs: { first: 5_000, longest: 60_000 },
} as const satisfies QueueOptions;

export interface WatchRef {
  readonly guildId: string;
  readonly watchId: string;
}

type WatchQueue = typeof pollQueue | typeof announceQueue | typeof endQueue;

/** The job of a watch; if it already exists, `put` brings it forward. */
export function watchJob(queue: WatchQueue, ref: WatchRef, dueAt?: number): NewJob {
  const { guildId } = ref;
  return { queue, key: watchJobKey(ref), guildId, ...(dueAt !== undefined && { dueAt }) };
}

export function watchJobKey({ guildId, watchId }: WatchRef): string {
  return `${guildId}:${watchId}`;
}

/** Starts both jobs at once: one polls, the other posts what waits. Takes part in the current transaction. */
export async function startWatchJobs(jobs: Pick<Jobs, "put">, ref: WatchRef): Promise<void> {
  await jobs.put(watchJob(pollQueue, ref));
  await jobs.put(watchJob(announceQueue, ref));
}

export function handleWatchJobs(
  { jobs }: ModerationRoom,
  queue: WatchQueue,
  work: (job: WatchRef & { readonly signal: AbortSignal }) => Promise<number | undefined>,
): void {
  jobs.handle(queue, queueOptions, ({ key, signal }) => {
    const [guildId = "", watchId = ""] = key.split(":");
    return work({ guildId, watchId, signal });
  });
}

/**
 * Runs `work` in one transaction if the watch is still the one that was read. Returns undefined, with nothing done, if it was
 * removed or now watches another channel. @throws ServiceError `store_unavailable`.
 */
export function ifStillWatched<T>(
  { database, records }: ModerationRoom,
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
