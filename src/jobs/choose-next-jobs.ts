/** A job that is due and not locked. */
export interface DueJob {
  readonly key: string;
  readonly serverId: number | null;
  readonly dueAt: number;
}

interface ChooseJobsOptions {
  /** How many may start. */
  readonly room: number;
  /** How many of one server may run at once. */
  readonly perServer: number;
  /** How many of each server run now. */
  readonly running: ReadonlyMap<number, number>;
  /** The first due jobs, at most `limit`, without those of some servers. */
  peek(without: readonly number[], limit: number): Promise<readonly DueJob[]>;
}

/** Enough rows to see several servers at once, since most have one job. */
const peekSize = 64;
/** How often a search skips servers that fill the front of the queue. */
const maxPeeks = 4;

/**
 * Chooses the jobs to start next. Servers take turns, the one with the fewest running jobs first; within a turn, the job that has
 * been due longest comes first. Reads little of the queue, however many jobs one server has.
 */
export async function chooseNextJobs(options: ChooseJobsOptions): Promise<readonly DueJob[]> {
  const { room, perServer, running, peek } = options;
  const limit = Math.max(peekSize, room);
  const counts = new Map(running);
  const passed = new Set([...running].flatMap(([id, count]) => (count >= perServer ? [id] : [])));
  const found = new Map<string, { readonly job: DueJob; readonly turn: number }>();
  for (let peeks = 0; peeks < maxPeeks; peeks += 1) {
    const jobs = await peek([...passed], limit);
    const before = found.size;
    for (const job of jobs) {
      const { serverId } = job;
      const turn = serverId === null ? 0 : (counts.get(serverId) ?? 0);
      // Jobs without a server come again with every look.
      if (turn >= perServer || found.has(job.key)) continue;
      found.set(job.key, { job, turn });
      if (serverId !== null) counts.set(serverId, turn + 1);
      if (serverId !== null) passed.add(serverId);
    }
    const isAll = jobs.length < limit;
    const hasEnough = [...found.values()].filter(({ turn }) => turn === 0).length >= room;
    if (isAll || hasEnough || found.size === before) break;
  }
  const sorted = [...found.values()].sort((a, b) => a.turn - b.turn || a.job.dueAt - b.job.dueAt);
  return sorted.slice(0, room).map(({ job }) => job);
}
