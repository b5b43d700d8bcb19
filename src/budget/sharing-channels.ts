import { createCache } from "../cache.ts";
import { dayMs } from "../clock.ts";
import { type Database, sql } from "../database/index.ts";
import type { QuotaDay } from "./calendar.ts";
import { countParts, type LinkedCount, type QuotaDivision } from "./quota-parts.ts";
import type { QuotaSharer } from "./types.ts";

/** Channels that spent nothing for so long don't count. Otherwise links that nobody uses would make the parts smaller for good. */
const countedDays = 14;
/** From its eighth day on a channel has a full part. */
const newDays = 7;
/** After so long this process notices channels that other processes added or whose servers were erased. */
const maxAgeMs = 10_000;
const maxProjects = 1_000;
const maxRows = 50_000;

/** How a project is divided for one channel, and why so. */
export interface QuotaSharing extends QuotaDivision {
  /** Who counts for the channel: who linked it first, where several people have. */
  readonly linkedBy: string;
  /** The day from which on the channel has a full part. */
  readonly fullFrom: string;
  /** How many channels share the parts of that person. */
  readonly ofPerson: number;
}

interface SharingChannel {
  readonly linkedBy: string;
  readonly firstDay: string;
}

interface SharedProject {
  readonly servers: number;
  readonly channels: ReadonlyMap<string, SharingChannel>;
  readonly linked: ReadonlyMap<string, LinkedCount>;
  readonly people: QuotaDivision["people"];
}

interface SharingRow {
  readonly channel_id: string;
  readonly linked_by: string;
  readonly first_day: string;
  readonly server_id: number;
}

export function createSharingChannels({ db, now }: Pick<Database, "db" | "now">) {
  const projectCache = createCache<SharedProject>({ maxSize: maxProjects, maxAgeMs, now });
  /** The last day that is on record, by project, server, channel and person. */
  const lastDayCache = createCache<string>({ maxSize: maxRows });

  async function readProject(project: string, day: QuotaDay): Promise<SharedProject> {
    const known = projectCache.get(project);
    if (known !== undefined) return known;
    const { rows } = await sql<SharingRow>`
      select channel_id, linked_by, first_day, server_id from quota_channels
      where project = ${project} and last_day >= ${addDays(day.name, 1 - countedDays)}
      order by first_day, server_id`.execute(db);
    const read = summarizeProject(rows, day);
    projectCache.set(project, read);
    return read;
  }

  async function note(project: string, serverId: number, sharer: QuotaSharer, day: QuotaDay) {
    const { channelId, linkedBy } = sharer;
    const key = `${project} ${serverId} ${channelId} ${linkedBy}`;
    if (channelId === undefined || lastDayCache.get(key) === day.name) return;
    const since = addDays(day.name, 1 - countedDays);
    // A channel that comes back after two weeks is new again.
    await sql`
      insert into quota_channels (server_id, project, channel_id, linked_by, first_day, last_day)
      values (${serverId}, ${project}, ${channelId}, ${linkedBy}, ${day.name}, ${day.name})
      on conflict (server_id, project, channel_id) do update
      set linked_by = excluded.linked_by, last_day = excluded.last_day,
        first_day = case when quota_channels.last_day < ${since} then excluded.first_day
          else quota_channels.first_day end`.execute(db);
    await sql`
      delete from quota_channels where server_id = ${serverId} and last_day < ${since}`.execute(db);
    lastDayCache.set(key, day.name);
    const counted = projectCache.get(project)?.channels.get(channelId);
    if (counted === undefined) projectCache.delete(project);
  }

  return {
    /** Counts the channel among those that share the project. Undefined where it is not divided: nobody else uses it. */
    async join(
      project: string,
      serverId: number,
      sharer: QuotaSharer,
      day: QuotaDay,
    ): Promise<QuotaSharing | undefined> {
      await note(project, serverId, sharer, day);
      return findSharing(await readProject(project, day), sharer, day);
    },
    /** The division as if the channel were counted; nothing is written. */
    async look(
      project: string,
      sharer: QuotaSharer,
      day: QuotaDay,
    ): Promise<QuotaSharing | undefined> {
      return findSharing(await readProject(project, day), sharer, day);
    },
  };
}

/** `rows` come in the order in which the channels were first used. */
function summarizeProject(rows: readonly SharingRow[], day: QuotaDay): SharedProject {
  const channels = new Map<string, SharingChannel>();
  for (const { channel_id, linked_by: linkedBy, first_day: firstDay } of rows) {
    if (!channels.has(channel_id)) channels.set(channel_id, { linkedBy, firstDay });
  }
  const linked = new Map<string, LinkedCount>();
  for (const { linkedBy, firstDay } of channels.values()) {
    linked.set(linkedBy, withOneMore(linked.get(linkedBy), isNew(firstDay, day)));
  }
  const people = new Map<number, number>();
  for (const count of linked.values()) addPerson(people, countParts(count), 1);
  const servers = new Set(rows.map(({ server_id }) => server_id)).size;
  return { servers, channels, linked, people };
}

function findSharing(
  shared: SharedProject,
  { channelId, linkedBy: linker }: QuotaSharer,
  day: QuotaDay,
): QuotaSharing | undefined {
  const found = channelId === undefined ? undefined : shared.channels.get(channelId);
  const { linkedBy, firstDay } = found ?? { linkedBy: linker, firstDay: day.name };
  const before = shared.linked.get(linkedBy);
  const isOnlyServer = found !== undefined && shared.servers === 1;
  if (isOnlyServer || shared.linked.size === (before === undefined ? 0 : 1)) return undefined;
  const count = found === undefined ? withOneMore(before, true) : before;
  const parts = count === undefined ? 0 : countParts(count);
  const people = new Map(shared.people);
  if (before !== undefined) addPerson(people, countParts(before), -1);
  addPerson(people, parts, 1);
  return {
    people,
    parts,
    linkedBy,
    channels: shared.channels.size + (found === undefined ? 1 : 0),
    ofPerson: count === undefined ? 0 : count.settled + count.fresh,
    isNew: isNew(firstDay, day),
    fullFrom: addDays(firstDay, newDays),
  };
}

function addPerson(people: Map<number, number>, parts: number, count: 1 | -1): void {
  people.set(parts, (people.get(parts) ?? 0) + count);
}

function withOneMore(count: LinkedCount = { settled: 0, fresh: 0 }, isFresh: boolean): LinkedCount {
  const { settled, fresh } = count;
  return isFresh ? { settled, fresh: fresh + 1 } : { settled: settled + 1, fresh };
}

function isNew(firstDay: string, day: QuotaDay): boolean {
  return firstDay > addDays(day.name, -newDays);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
