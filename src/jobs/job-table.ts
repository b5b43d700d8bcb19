import { type Database, type RawBuilder, sql } from "../database/index.ts";
import type { DueJob } from "./choose-next-jobs.ts";
import type { JobData, NewJob, ParkedJob, QueueCounts } from "./types.ts";

export interface JobRef {
  readonly queue: string;
  readonly key: string;
}

interface JobHeads {
  /** When the first waiting job of each queue is due. */
  readonly dueAt: ReadonlyMap<string, number>;
  /** Whether a lock of any process has expired. */
  readonly isAnyExpired: boolean;
}

const never = Number.POSITIVE_INFINITY;

/** A job waits (not locked), runs (locked), or is parked. */
export const isWaitingSql = sql`locked_by is null and parked_at is null`;
const maxParked = 100;

// Reading and writing happen in one statement wherever another process could change a row in between.

/**
 * Runs a statement before other work, because others take a process for dead whose locks are not renewed. It does not wait
 * for the disk: a job whose state is lost in a power cut is simply run again.
 */
export function executeUrgently<T>({ db, urgently }: Database, statement: RawBuilder<T>) {
  return urgently(() => statement.execute(db));
}

/** On SQLite nothing waits for a connection, and a read not for the disk. */
function readUrgently<T>(database: Database, statement: RawBuilder<T>) {
  const { dialect, db } = database;
  return dialect === "sqlite" ? statement.execute(db) : executeUrgently(database, statement);
}

export async function changeJobs(
  database: Database,
  statement: RawBuilder<unknown>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await executeUrgently(database, statement);
  return numAffectedRows > 0n;
}

/** As `Jobs.put`; returns when it is due. */
export async function putJob(
  { db, servers, now }: Database,
  { queue, key, guildId, data, isPostponed = false, ...job }: NewJob,
): Promise<number> {
  const dueAt = Math.round(job.dueAt ?? now());
  const serverId = guildId === undefined ? null : await servers.need(guildId);
  await sql`
    insert into jobs (queue, key, server_id, data, due_at, tries)
    values (${queue}, ${key}, ${serverId}, ${JSON.stringify(data ?? null)}, ${dueAt}, 0)
    on conflict (queue, key) do update set
      server_id = coalesce(excluded.server_id, jobs.server_id),
      ${data === undefined ? sql`` : sql`data = excluded.data,`}
      wanted_at = case when jobs.locked_by is null then null
        when jobs.wanted_at < excluded.due_at then jobs.wanted_at else excluded.due_at end,
      due_at = case when jobs.locked_by is not null then jobs.due_at
        when jobs.parked_at is null and jobs.due_at < excluded.due_at
          and ${isPostponed ? 1 : 0} = 0 then jobs.due_at
        else excluded.due_at end,
      tries = case when jobs.parked_at is null then jobs.tries else 0 end,
      failure = case when jobs.parked_at is null then jobs.failure end,
      parked_at = null`.execute(db);
  return dueAt;
}

/** Reads all queues in one statement, because this runs very often. */
export async function readJobHeads(
  database: Database,
  queues: readonly string[],
): Promise<JobHeads> {
  const read = sql<Record<string, number | boolean | null>>`
    select ${sql.join([
      sql`(select min(locked_until) from jobs where locked_by is not null)
        < ${database.after(0)} as expired`,
      ...queues.map(
        (queue, n) => sql`(select min(due_at) from jobs
          where queue = ${queue} and ${isWaitingSql}) as ${sql.ref(`q${n}`)}`,
      ),
    ])}`;
  const { rows } = await readUrgently(database, read);
  const [row = {}] = rows;
  return {
    dueAt: new Map(queues.map((queue, n) => [queue, Number(row[`q${n}`] ?? never)])),
    isAnyExpired: Boolean(row.expired),
  };
}

interface PeekOptions {
  /** Jobs of these servers are left out. */
  readonly without: readonly number[];
  readonly limit: number;
}

export async function peekJobs(
  database: Database,
  queue: string,
  { without, limit }: PeekOptions,
): Promise<readonly DueJob[]> {
  const others =
    without.length === 0
      ? sql``
      : sql`and (server_id is null or server_id not in (${sql.join(without)}))`;
  const peek = sql<{ key: string; server_id: number | null; due_at: number }>`
    select key, server_id, due_at from jobs
    where queue = ${queue} and ${isWaitingSql} and due_at <= ${database.now()} ${others}
    order by due_at limit ${limit}`;
  const { rows } = await readUrgently(database, peek);
  return rows.map((row) => ({ key: row.key, serverId: row.server_id, dueAt: row.due_at }));
}

/** Removes a job. A running job keeps its row until it ends, so that no second job with its key can start meanwhile. */
export function takeBackJob(database: Database, { queue, key }: JobRef): Promise<boolean> {
  const { db, dialect } = database;
  const lock = dialect === "postgres" ? sql`for update` : sql``;
  const at = sql`queue = ${queue} and key = ${key}`;
  return database.transaction(async () => {
    const { rows } = await sql<{ locked_by: string | null }>`
      select locked_by from jobs where ${at} ${lock}`.execute(db);
    if (rows[0] === undefined) return false;
    if (rows[0].locked_by === null) return changeJobs(database, sql`delete from jobs where ${at}`);
    const takeBack = sql`
      update jobs set is_taken_back = 1, wanted_at = null
      where ${at} and (is_taken_back = 0 or wanted_at is not null)`;
    return changeJobs(database, takeBack);
  });
}

/** What can be read and retried also from a process that runs no jobs. */
export function inspectJobs({ db, now }: Database) {
  return {
    async read(queue: string, key: string): Promise<JobData | undefined> {
      const row = await db
        .selectFrom("jobs")
        .select("data")
        .where("queue", "=", queue)
        .where("key", "=", key)
        .executeTakeFirst();
      return row && (JSON.parse(row.data) as JobData);
    },
    async countHeld(queue: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from jobs
        where queue = ${queue} and locked_by is not null`.execute(db);
      return Number(rows[0]?.count ?? 0);
    },
    async retry(queue?: string, key?: string): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update jobs set parked_at = null, tries = 0, failure = null, due_at = ${now()}
        where parked_at is not null
          ${queue === undefined ? sql`` : sql`and queue = ${queue}`}
          ${key === undefined ? sql`` : sql`and key = ${key}`}`.execute(db);
      return Number(numAffectedRows);
    },
    async counts(): Promise<readonly QueueCounts[]> {
      const { rows } = await sql<QueueCounts>`
        select queue,
          count(*) filter (where ${isWaitingSql}) as waiting,
          count(*) filter (where ${isWaitingSql} and due_at <= ${now()}) as due,
          count(*) filter (where locked_by is not null) as running,
          count(*) filter (where parked_at is not null) as parked
        from jobs group by queue order by queue`.execute(db);
      return rows;
    },
    async parked(): Promise<readonly ParkedJob[]> {
      const rows = await db
        .selectFrom("jobs")
        .leftJoin("servers", "servers.id", "jobs.server_id")
        .select(["queue", "key", "guild_id", "failure", "parked_at"])
        .where("parked_at", "is not", null)
        .orderBy("parked_at", "desc")
        .limit(maxParked)
        .execute();
      return rows.map(({ queue, key, guild_id, failure, parked_at }) => ({
        queue,
        key,
        guildId: guild_id ?? undefined,
        failure: failure ?? "error",
        parkedAt: parked_at ?? 0,
      }));
    },
  };
}
