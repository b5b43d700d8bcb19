import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { findServerId } from "./select-records.ts";
import type { TroubleCode, Watch, WatchProgress } from "./watch.ts";

export interface WatchWithProgress {
  readonly watch: Watch;
  readonly progress: WatchProgress;
  /** The progress as the database has it, to notice changes by others. */
  readonly stored: string;
}

interface DemandOptions {
  /** All servers when absent. */
  readonly guildId?: string | undefined;
  /** Watches that could not poll since before this time are left out. */
  readonly unableFrom: number;
}

/** The progress of a watch that was never polled. */
const blankProgress: WatchProgress = { idlePolls: 0, troubles: {} };

type ChangeProgress = (stored: WatchProgress) => WatchProgress;

export type WatchRecords = ReturnType<typeof createWatchRecords>;

/** All of it throws ServiceError `store_unavailable`. */
export function createWatchRecords(database: Database) {
  const table = createRecordTable<"watches", Watch>(database, {
    table: "watches",
    key: ["id"],
    columnsOf: ({ source, paused, ended, addedAt, paceMs, states }) => ({
      source,
      is_paused: paused === undefined && ended === undefined ? 0 : 1,
      added_at: addedAt,
      pace_ms: paceMs,
      poll_units: states.length,
    }),
  });
  const progress = createRecordTable<"watches", Partial<WatchProgress>>(database, {
    table: "watches",
    key: ["id"],
    column: "progress",
    columnsOf: ({ troubles = {} }) => ({ unable_since: unableSince(troubles) }),
  });
  return {
    /** Watches that have ended are left out here and below. */
    read: async (guildId: string, id: string) => unlessEnded(await table.read(guildId, id)),
    readEnded: async (guildId: string, id: string) => {
      const stored = await table.read(guildId, id);
      return stored?.ended === undefined ? undefined : { ...stored, ended: stored.ended };
    },
    /** The oldest first; a server has at most ten. */
    readAll: (guildId: string) => readAll(database, guildId),
    /** `all`, and those that have ended and have messages or decisions left. */
    readAllWithEnded: (guildId: string) => readAllWithEnded(database, guildId),
    /** `all`, and locks them until the transaction ends. Adds the server if it is not stored yet. */
    lockAll: (guildId: string) => lockAll(database, guildId),
    /** As `RecordTable.change`. */
    change: <U extends Watch | undefined>(
      guildId: string,
      id: string,
      make: (stored: Watch | undefined) => U,
    ) => table.change(guildId, [id], make),
    /** Removes a watch with its comments and digests; returns whether it existed. */
    async remove(guildId: string, id: string): Promise<boolean> {
      const serverId = await database.servers.find(guildId);
      if (serverId === undefined || (await table.read(guildId, id)) === undefined) return false;
      await database.servers.remove({ table: "watches", serverId, id });
      return true;
    },
    readWithProgress: (guildId: string, id: string) => readWithProgress(database, guildId, id),
    /**
     * Changes the progress after a poll. Does not wait for the disk: what a power cut undoes is simply polled again. Answers
     * undefined if the watch was removed or now watches another channel.
     */
    advanceProgress: (guildId: string, known: WatchWithProgress, make: ChangeProgress) =>
      advanceProgress(database, guildId, { known, make }),
    /** What the polling watches of one server, or of all servers, ask for, and how many channels they watch. */
    demand: (of: DemandOptions) => readDemand(database, of),
    async progress(guildId: string, id: string): Promise<WatchProgress | undefined> {
      const stored = await progress.read(guildId, id);
      return stored && { ...blankProgress, ...stored };
    },
    /** Does nothing and returns undefined if there is no such watch. */
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
  const all = await readAllWithEnded(database, guildId);
  return all.filter(({ ended }) => ended === undefined);
}

async function readAllWithEnded(database: Database, guildId: string): Promise<readonly Watch[]> {
  const rows = await database.db
    .selectFrom("watches")
    .select("data")
    .where("server_id", "=", await findServerId(database, guildId))
    .orderBy("added_at")
    .orderBy("id")
    .execute();
  return rows.map(({ data }) => JSON.parse(data) as Watch);
}

function unlessEnded(watch: Watch | undefined): Watch | undefined {
  return watch?.ended === undefined ? watch : undefined;
}

async function lockAll(database: Database, guildId: string): Promise<readonly Watch[]> {
  const { db, dialect, servers } = database;
  const serverId = await servers.need(guildId);
  // SQLite has one writer at a time anyway; records of the server may be written meanwhile.
  if (dialect === "postgres") {
    await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
    // Changes of a single watch lock only its own row.
    await sql`select id from watches where server_id = ${serverId} order by id for update`.execute(
      db,
    );
  }
  return readAll(database, guildId);
}

async function readWithProgress(
  database: Database,
  guildId: string,
  id: string,
): Promise<WatchWithProgress | undefined> {
  const { rows } = await sql<{ readonly data: string; readonly progress: string }>`
    select data, progress from watches
    where server_id = ${await findServerId(database, guildId)} and id = ${id}`.execute(database.db);
  const [row] = rows;
  const watch = row && unlessEnded(JSON.parse(row.data) as Watch);
  if (row === undefined || watch === undefined) return undefined;
  const stored = row.progress;
  const progress = { ...blankProgress, ...(JSON.parse(stored) as Partial<WatchProgress>) };
  return { watch, progress, stored };
}

async function advanceProgress(
  database: Database,
  guildId: string,
  { known, make }: { readonly known: WatchWithProgress; readonly make: ChangeProgress },
): Promise<WatchProgress | undefined> {
  const { db, withoutDiskWait } = database;
  const { id, source, addedAt } = known.watch;
  const serverId = await findServerId(database, guildId);
  for (let before = known; ; ) {
    const after = make(before.progress);
    const moved = sql`
      update watches set progress = ${JSON.stringify(after)},
        unable_since = ${unableSince(after.troubles)}
      where server_id = ${serverId} and id = ${id} and source = ${source}
        and added_at = ${addedAt} and progress = ${before.stored}`;
    const { numAffectedRows = 0n } = await withoutDiskWait(() => moved.execute(db));
    if (numAffectedRows > 0n) return after;
    // Somebody else changed it meanwhile, or it is gone.
    const again = await readWithProgress(database, guildId, id);
    if (again?.watch.source !== source || again.watch.addedAt !== addedAt) return undefined;
    before = again;
  }
}

async function readDemand(database: Database, { guildId, unableFrom }: DemandOptions) {
  const { db } = database;
  const serverId = guildId === undefined ? undefined : await findServerId(database, guildId);
  const polling = sql`is_paused = 0 and (unable_since is null or unable_since > ${unableFrom})
    ${serverId === undefined ? sql`` : sql`and server_id = ${serverId}`}`;
  const { rows } = await sql<{ pace_ms: number; poll_units: number; count: number }>`
    select pace_ms, poll_units, count(*) as count from watches where ${polling}
    group by pace_ms, poll_units`.execute(db);
  const found = await sql<{ count: number }>`
    select count(distinct source) as count from watches where ${polling}`.execute(db);
  return {
    watches: rows.map(({ pace_ms: paceMs, poll_units: costUnits, count }) => {
      return { paceMs, costUnits, count };
    }),
    channels: found.rows[0]?.count ?? 0,
  };
}

/** A watch with one of these troubles tries rarely, so its part of the units goes to the others. */
const unableCodes = [
  "link_broken",
  "link_missing",
  "channel_gone",
  "channel_public",
] as const satisfies TroubleCode[];

function unableSince(troubles: WatchProgress["troubles"]): number | null {
  const since = unableCodes.flatMap((code) => troubles[code]?.since ?? []);
  return since.length === 0 ? null : Math.min(...since);
}
