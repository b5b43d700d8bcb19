import type { Clock } from "../clock.ts";
import type { Servers } from "../database/index.ts";
import type { LockedJob } from "./job-table.ts";
import type { Job, JobHandler, QueueOptions } from "./types.ts";

export interface RunJobDeps {
  readonly clock: Clock;
  readonly servers: Servers;
}

export interface HandledQueue {
  readonly options: QueueOptions;
  readonly work: JobHandler;
}

/** It is not this process's any more: another one has it, or nobody shall. */
export class JobLost extends Error {}

/** What ignores its signal for so long is given up, so that it does not keep its job for ever. */
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
  const late = Promise.withResolvers<never>();
  let stopTimer = clock.after(options.timeoutMs, () => {
    const error = new Error(`a job of ${row.queue} took over ${options.timeoutMs} ms`);
    stop.abort(error);
    stopTimer = clock.after(graceMs, () => late.reject(error));
  });
  const doIt = async () => work(job);
  try {
    const done = guildId === undefined ? doIt() : servers.runFor(guildId, doIt, serverId);
    return await Promise.race([done, late.promise]);
  } finally {
    stopTimer();
  }
}

/** How long a job waits that failed so often in a row: longer each time, and not at the same time as its likes. */
export function waitMsAfter(
  failures: number,
  { waitMs = usualWaitMs }: QueueOptions,
  random: () => number,
): number {
  const longest = Math.min(waitMs.longest, waitMs.first * 2 ** Math.min(failures - 1, 30));
  return Math.round(longest * (0.5 + random() / 2));
}
