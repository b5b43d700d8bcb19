import { abortable, backOffMs, type Clock } from "../clock.ts";
import type { Servers } from "../database/index.ts";
import type { LockedJob } from "./job-locks.ts";
import type { Job, JobHandler, QueueOptions } from "./types.ts";

interface RunJobDeps {
  readonly clock: Clock;
  readonly servers: Servers;
}

export interface HandledQueue {
  readonly options: QueueOptions;
  readonly work: JobHandler;
}

/** The job no longer belongs to this process: another one has it, or it was taken back. */
export class JobLost extends Error {}

/** Work that ignores its signal is given up after so long, so that it does not keep its job for ever. */
const graceMs = 30_000;
const usualWaitMs = { first: 1_000, longest: 600_000 } as const;

/** Answers what the handler answers. @throws what the handler throws; that it took too long. */
export async function runJob(
  { clock, servers }: RunJobDeps,
  row: LockedJob,
  { options, work }: HandledQueue,
  stop: AbortController,
): Promise<number | undefined> {
  const guildId = row.guild_id ?? undefined;
  const serverId = row.server_id ?? undefined;
  const job: Job = {
    ...{ key: row.key, guildId, dueAt: row.due_at, failures: row.tries },
    ...{ data: JSON.parse(row.data), signal: stop.signal },
  };
  const late = new AbortController();
  let stopTimer = clock.after(options.timeoutMs, () => {
    const error = new Error(`a job of ${row.queue} took over ${options.timeoutMs} ms`);
    stop.abort(error);
    stopTimer = clock.after(graceMs, () => late.abort(error));
  });
  const doIt = async () => work(job);
  try {
    const done = guildId === undefined ? doIt() : servers.runFor(guildId, doIt, serverId);
    return await abortable(done, late.signal);
  } finally {
    stopTimer();
  }
}

/** How long a job waits after so many failures in a row: longer each time, and spread out, so that many don't come back at once. */
export function waitMsAfter(
  failures: number,
  { waitMs = usualWaitMs }: QueueOptions,
  random: () => number,
): number {
  const { first: firstMs, longest: longestMs } = waitMs;
  return backOffMs(failures, { firstMs, longestMs, jitter: 0.5, random });
}
