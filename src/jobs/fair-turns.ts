/** A job that is due and that nobody does. */
export interface JobTurn {
  readonly key: string;
  readonly serverId: number | null;
  readonly dueAt: number;
}

interface TurnsOptions {
  /** How many may begin. */
  readonly room: number;
  /** How many of one server may run at once. */
  readonly perServer: number;
  /** How many of each server run now. */
  readonly running: ReadonlyMap<number, number>;
  /** The first that are due, at most `limit`, but for those of some servers. */
  peek(without: readonly number[], limit: number): Promise<readonly JobTurn[]>;
}

/** Enough rows to see several servers at once, since most have one job. */
const atOnce = 64;
/** How often a look passes over servers that fill the front of the queue. */
const mostPeeks = 4;

/**
 * Chooses what begins next: servers take turns, the one with the fewest jobs under way first, and within a turn whatever
 * is due the longest. Reads no more of the queue than it has to, however long one server's part of it is.
 */
export async function chooseFairly(options: TurnsOptions): Promise<readonly JobTurn[]> {
  const { room, perServer, running, peek } = options;
  const limit = Math.max(atOnce, room);
  const counts = new Map(running);
  const passed = new Set([...running].flatMap(([id, count]) => (count >= perServer ? [id] : [])));
  const found: { readonly job: JobTurn; readonly turn: number }[] = [];
  for (let peeks = 0; peeks < mostPeeks; peeks += 1) {
    const jobs = await peek([...passed], limit);
    const firsts = found.length;
    for (const job of jobs) {
      const { serverId } = job;
      const turn = serverId === null ? 0 : (counts.get(serverId) ?? 0);
      if (turn >= perServer) continue;
      found.push({ job, turn });
      if (serverId !== null) counts.set(serverId, turn + 1);
      if (serverId !== null) passed.add(serverId);
    }
    const isAll = jobs.length < limit;
    const hasEnough = found.filter(({ turn }) => turn === 0).length >= room;
    if (isAll || hasEnough || found.length === firsts) break;
  }
  const sorted = found.sort((a, b) => a.turn - b.turn || a.job.dueAt - b.job.dueAt);
  return sorted.slice(0, room).map(({ job }) => job);
}
