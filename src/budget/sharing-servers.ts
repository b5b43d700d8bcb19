import { createCache } from "../cache.ts";
import { type Database, sql } from "../database/index.ts";
import type { QuotaDay } from "./calendar.ts";

const dayMs = 24 * 3_600_000;
/** Servers that spent nothing for so long don't count, or links that nobody uses would make the parts smaller for good. */
const countedDays = 14;
/** After so long this process notices servers that other processes added or that were erased. */
const maxCountAgeMs = 10_000;
const maxProjects = 1_000;
const maxServers = 50_000;

/** Counts the servers that have used a project in the last two weeks. */
export function createSharingServers({ db, now }: Pick<Database, "db" | "now">) {
  const countCache = createCache<number>({
    maxSize: maxProjects,
    maxAgeMs: maxCountAgeMs,
    now,
  });
  /** The last day that is on record, by project and server. */
  const lastDayCache = createCache<string>({ maxSize: maxServers });

  async function lastDayOf(project: string, serverId: number): Promise<string | undefined> {
    const key = `${project} ${serverId}`;
    const known = lastDayCache.get(key);
    if (known !== undefined) return known;
    const { rows } = await sql<{ last_day: string }>`
      select last_day from quota_servers
      where server_id = ${serverId} and project = ${project}`.execute(db);
    const [row] = rows;
    if (row !== undefined) lastDayCache.set(key, row.last_day);
    return row?.last_day;
  }

  async function countServers(project: string, day: QuotaDay): Promise<number> {
    const known = countCache.get(project);
    if (known !== undefined) return known;
    const since = firstDay(day);
    const { rows } = await sql<{ servers: number }>`
      select count(*) as servers from quota_servers
      where project = ${project} and last_day >= ${since}`.execute(db);
    const servers = rows[0]?.servers ?? 0;
    countCache.set(project, servers);
    return servers;
  }

  return {
    /** Adds the server to those that share the project, and returns how many they are. */
    async join(project: string, serverId: number, day: QuotaDay): Promise<number> {
      const lastDay = await lastDayOf(project, serverId);
      if (lastDay !== day.name) {
        await sql`
          insert into quota_servers (server_id, project, last_day)
          values (${serverId}, ${project}, ${day.name})
          on conflict (server_id, project) do update set last_day = excluded.last_day`.execute(db);
        lastDayCache.set(`${project} ${serverId}`, day.name);
        if (lastDay === undefined || lastDay < firstDay(day)) countCache.delete(project);
      }
      return Math.max(1, await countServers(project, day));
    },
    /** The number if this server were added. `serverId` is undefined for a server without any records. */
    async count(project: string, serverId: number | undefined, day: QuotaDay): Promise<number> {
      const lastDay = serverId === undefined ? undefined : await lastDayOf(project, serverId);
      const isCounted = lastDay !== undefined && lastDay >= firstDay(day);
      return (await countServers(project, day)) + (isCounted ? 0 : 1);
    },
  };
}

function firstDay({ name }: QuotaDay): string {
  return new Date(Date.parse(name) - (countedDays - 1) * dayMs).toISOString().slice(0, 10);
}
