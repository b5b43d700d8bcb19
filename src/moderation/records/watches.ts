import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { serverIdOf } from "./select-records.ts";
import type { TroubleCode, Watch, WatchProgress } from "./watch.ts";

/** How many watches ask alike. */
export interface WatchDemand {
  readonly paceMs: number;
  /** Units of a poll. */
  readonly costUnits: number;
  readonly count: number;
}

/** A watch and how far it is. */
export interface WatchAt {
  readonly watch: Watch;
  readonly progress: WatchProgress;
  /** The progress as it stands in the database. */
  readonly stored: string;
}

interface DemandOptions {
  /** Of all servers where absent. */
  readonly guildId?: string | undefined;
  /** Those that have not been able to poll since before then are left out. */
  readonly unableFrom: number;
}

/** Of a watch that was not looked at yet. */
const blankProgress: WatchProgress = { idlePolls: 0, troubles: {} };

type ChangeProgress = (stored: WatchProgress) => WatchProgress;

export type WatchRecords = ReturnType<typeof createWatchRecords>;

/** All of it throws ServiceError `store_unavailable`. */
export function createWatchRecords(database: Database) {
  const table = createRecordTable<"watches", Watch>(database, {
    table: "watches",
    key: ["id"],
    columnsOf: ({ source, paused, addedAt, paceMs, states }) => ({
      ...{ source, is_paused: paused === undefined ? 0 : 1, added_at: addedAt },
      ...{ pace_ms: paceMs, poll_units: states.length },
    }),
  });
  const progress = createRecordTable<"watches", Partial<WatchProgress>>(database, {
    table: "watches",
    key: ["id"],
    column: "progress",
    columnsOf: ({ troubles = {} }) => ({ unable_since: unableSince(troubles) }),
  });
  return {
    read: (guildId: string, id: string) => table.read(guildId, id),
    /** The oldest first; a server has a handful. */
    all: (guildId: string) => readAll(database, guildId),
    /** The same; until the transaction is over nobody else does so. The server is made where there is none. */
    lockAll: (guildId: string) => lockAll(database, guildId),
    /** As `RecordTable.change`. */
    change: <U extends Watch | undefined>(
      guildId: string,
      id: string,
      make: (stored: Watch | undefined) => U,
    ) => table.change(guildId, [id], make),
    /** With all that hangs on it; answers whether it was there. */
    async remove(guildId: string, id: string): Promise<boolean> {
      const serverId = await database.servers.find(guildId);
      if (serverId === undefined || (await table.read(guildId, id)) === undefined) return false;
      await database.servers.remove({ table: "watches", serverId, id });
      return true;
    },
    readWithProgress: (guildId: string, id: string) => readWithProgress(database, guildId, id),
    /**
     * How far a watch is after a look, from how far it was before; without waiting for the disk, because what a power cut takes
     * back is looked at once more. Answers undefined where the watch was stopped or is another one by now.
     */
    moveOn: (guildId: string, known: WatchAt, make: ChangeProgress) =>
      moveOn(database, guildId, { known, make }),
    /** What watches that poll ask for, and of how many servers they are; of one server, or of all. */
    demand: (of: DemandOptions) => readDemand(database, of),
    /** Undefined where there is no such watch. */
    async progress(guildId: string, id: string): Promise<WatchProgress | undefined> {
      const stored = await progress.read(guildId, id);
      return stored && { ...blankProgress, ...stored };
    },
    /** Does nothing and answers undefined where there is no such watch. */
    async changeProgress(guildId: string, id: string, make: ChangeProgress) {
      const changed = await progress.change(guildId, [id], (stored) => changeStored(stored, make));
      return changed && { ...blankProgress, ...changed };
    },
  };
}

function changeStored(stored: Partial<WatchProgress> | undefined, make: ChangeProgress) {
  if (stored === undefined) return undefined;
  const before = { ...blankProgress, ...stored };
  const after = make(before);
  return after === before ? stored : after;
}

async function readAll(database: Database, guildId: string): Promise<readonly Watch[]> {
  const rows = await database.db
    .selectFrom("watches")
    .select("data")
    .where("server_id", "=", await serverIdOf(database, guildId))
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return rows.map(({ data }) => JSON.parse(data) as Watch);
}

async function lockAll(database: Database, guildId: string): Promise<readonly Watch[]> {
  const { db, dialect, servers } = database;
  const serverId = await servers.need(guildId);
  // SQLite has one writer at a time anyway; records of the server may be written meanwhile.
  if (dialect === "postgres") {
    await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
  }
  return readAll(database, guildId);
}

async function readWithProgress(
  database: Database,
  guildId: string,
  id: string,
): Promise<WatchAt | undefined> {
  const { rows } = await sql<{ readonly data: string; readonly progress: string }>`
    select data, progress from watches
    where server_id = ${await serverIdOf(database, guildId)} and id = ${id}`.execute(database.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const stored = row.progress;
  const progress = { ...blankProgress, ...(JSON.parse(stored) as Partial<WatchProgress>) };
  return { watch: JSON.parse(row.data) as Watch, progress, stored };
}

async function moveOn(
  database: Database,
  guildId: string,
  { known, make }: { readonly known: WatchAt; readonly make: ChangeProgress },
): Promise<WatchProgress | undefined> {
  const { db, hurriedly } = database;
  const { id, source, addedAt } = known.watch;
  const serverId = await serverIdOf(database, guildId);
  for (let before = known; ; ) {
    const after = make(before.progress);
    const moved = sql`
      update watches set progress = ${JSON.stringify(after)},
        unable_since = ${unableSince(after.troubles)}
      where server_id = ${serverId} and id = ${id} and source = ${source}
        and added_at = ${addedAt} and progress = ${before.stored}`;
    const { numAffectedRows = 0n } = await hurriedly(() => moved.execute(db));
    if (numAffectedRows > 0n) return after;
    // Somebody else has changed it meanwhile, or it is gone.
    const again = await readWithProgress(database, guildId, id);
    if (again?.watch.source !== source || again.watch.addedAt !== addedAt) return undefined;
    before = again;
  }
}

async function readDemand(database: Database, { guildId, unableFrom }: DemandOptions) {
  const { db } = database;
  const serverId = guildId === undefined ? undefined : await serverIdOf(database, guildId);
  const polling = sql`is_paused = 0 and (unable_since is null or unable_since > ${unableFrom})
    ${serverId === undefined ? sql`` : sql`and server_id = ${serverId}`}`;
  const { rows } = await sql<{ pace_ms: number; poll_units: number; count: number }>`
    select pace_ms, poll_units, count(*) as count from watches where ${polling}
    group by pace_ms, poll_units`.execute(db);
  const found = await sql<{ count: number }>`
    select count(distinct server_id) as count from watches where ${polling}`.execute(db);
  return {
    watches: rows.map(({ pace_ms: paceMs, poll_units: costUnits, count }) => {
      return { paceMs, costUnits, count };
    }),
    guilds: found.rows[0]?.count ?? 0,
  };
}

/** A try now and then takes nobody's part of the day. */
const unable = ["link_broken", "link_missing", "channel_gone"] as const satisfies TroubleCode[];

function unableSince(troubles: WatchProgress["troubles"]): number | null {
  const since = unable.flatMap((code) => troubles[code]?.since ?? []);
  return since.length === 0 ? null : Math.min(...since);
}
