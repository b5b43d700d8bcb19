import { createRecordTable, type Database, sql } from "../../database/index.ts";
import { findServerId } from "./select-records.ts";
import type { Watch, WatchFailureCode, WatchProgress } from "./watch.ts";

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
  const { db, dialect, servers } = database;
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

  async function readAllWithEnded(guildId: string): Promise<readonly Watch[]> {
    const rows = await db
      .selectFrom("watches")
      .select("data")
      .where("server_id", "=", await findServerId(database, guildId))
      .orderBy("added_at")
      .orderBy("id")
      .execute();
    return rows.map(({ data }) => JSON.parse(data) as Watch);
  }

  const readAll = async (guildId: string) =>
    (await readAllWithEnded(guildId)).filter(({ ended }) => ended === undefined);

  async function readWithProgress(
    guildId: string,
    id: string,
  ): Promise<WatchWithProgress | undefined> {
    const { rows } = await sql<{ readonly data: string; readonly progress: string }>`
      select data, progress from watches
      where server_id = ${await findServerId(database, guildId)} and id = ${id}`.execute(db);
    const [row] = rows;
    const watch = row && unlessEnded(JSON.parse(row.data) as Watch);
    if (row === undefined || watch === undefined) return undefined;
    const stored = row.progress;
    return { watch, progress: { ...blankProgress, ...JSON.parse(stored) }, stored };
  }

  return {
    /** Watches that have ended are left out here and below. */
    read: async (guildId: string, id: string) => unlessEnded(await table.read(guildId, id)),
    readEnded: async (guildId: string, id: string) => {
      const stored = await table.read(guildId, id);
      return stored?.ended === undefined ? undefined : { ...stored, ended: stored.ended };
    },
    /** The oldest first; a server has at most ten. */
    readAll,
    /** `readAll`, and those that have ended and have messages or decisions left. */
    readAllWithEnded,
    /** `readAll`, and locks them until the transaction ends. Adds the server if it is not stored yet. */
    async lockAll(guildId: string): Promise<readonly Watch[]> {
      const serverId = await servers.need(guildId);
      // SQLite has one writer at a time anyway; records of the server may be written meanwhile.
      if (dialect === "postgres") {
        const ofServer = sql`where server_id = ${serverId} order by id for update`;
        await sql`select id from servers where id = ${serverId} for no key update`.execute(db);
        // Changes of a single watch lock only its own row.
        await sql`select id from watches ${ofServer}`.execute(db);
      }
      return readAll(guildId);
    },
    /** As `RecordTable.change`. */
    change: <U extends Watch | undefined>(
      guildId: string,
      id: string,
      make: (stored: Watch | undefined) => U,
    ) => table.change(guildId, [id], make),
    /** Removes a watch with its comments and digests. */
    async remove(guildId: string, id: string): Promise<void> {
      const serverId = await servers.find(guildId);
      if (serverId !== undefined) await servers.remove({ table: "watches", serverId, id });
    },
    readWithProgress,
    /**
     * Changes the progress after a poll. Does not wait for the disk: what a power cut undoes is simply polled again. Answers
     * undefined if the watch was removed or now watches another channel.
     */
    async advanceProgress(guildId: string, known: WatchWithProgress, make: ChangeProgress) {
      const { id, source, addedAt } = known.watch;
      const serverId = await findServerId(database, guildId);
      for (let before = known; ; ) {
        const after = make(before.progress);
        const moved = sql`
          update watches set progress = ${JSON.stringify(after)},
            unable_since = ${unableSince(after.troubles)}
          where server_id = ${serverId} and id = ${id} and source = ${source}
            and added_at = ${addedAt} and progress = ${before.stored}`;
        const { numAffectedRows = 0n } = await database.withoutDiskWait(() => moved.execute(db));
        if (numAffectedRows > 0n) return after;
        // Somebody else changed it meanwhile, or it is gone.
        const again = await readWithProgress(guildId, id);
        if (again?.watch.source !== source || again.watch.addedAt !== addedAt) return undefined;
        before = again;
      }
    },
    /** What the polling watches of one server, or of all servers, ask for, and how many channels they watch. */
    async demand({ guildId, unableFrom }: DemandOptions) {
      const ofServer =
        guildId === undefined
          ? sql``
          : sql`and server_id = ${await findServerId(database, guildId)}`;
      const polling = sql`is_paused = 0 and (unable_since is null or unable_since > ${unableFrom})
        ${ofServer}`;
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
    },
    async progress(guildId: string, id: string): Promise<WatchProgress | undefined> {
      const stored = await progress.read(guildId, id);
      return stored && { ...blankProgress, ...stored };
    },
    /** Does nothing and returns undefined if there is no such watch. */
    async changeProgress(guildId: string, id: string, make: ChangeProgress) {
      const changed = await progress.change(guildId, [id], (stored) => {
        const before = { ...blankProgress, ...stored };
        const after = make(before);
        return stored !== undefined && after === before ? stored : after;
      });
      return changed && { ...blankProgress, ...changed };
    },
  };
}

function unlessEnded(watch: Watch | undefined): Watch | undefined {
  return watch?.ended === undefined ? watch : undefined;
}

/** A watch with one of these failures polls rarely, so its part of the units goes to the others. */
const unableCodes = [
  "link_broken",
  "link_missing",
  "channel_gone",
  "channel_public",
] as const satisfies WatchFailureCode[];

function unableSince(troubles: WatchProgress["troubles"]): number | null {
  const since = unableCodes.flatMap((code) => troubles[code]?.since ?? []);
  return since.length === 0 ? null : Math.min(...since);
}
