import { type Database, type RawBuilder, sql } from "../database/index.ts";
import type { JobTurn } from "./fair-turns.ts";
import type { Jobs, NewJob, ParkedJob, QueueCounts } from "./types.ts";

/** A job that is this process's now. */
export interface LockedJob {
  readonly queue: string;
  readonly key: string;
  readonly server_id: number | null;
  /** Null where the server is gone, and the job about to go. */
  readonly guild_id: string | null;
  readonly data: string;
  readonly due_at: number;
  readonly tries: number;
}

export interface JobName {
  readonly queue: string;
  readonly key: string;
}

/** What a failed job becomes. */
export interface JobFailure {
  readonly code: string;
  readonly tries: number;
  readonly dueAt: number;
  readonly isParked: boolean;
}

export interface JobHeads {
  /** When the first job is due that nobody does, by queue. */
  readonly dueAt: ReadonlyMap<string, number>;
  /** When the first lock of any process ends. */
  readonly lockEndsAt: number;
}

const never = Number.POSITIVE_INFINITY;

/** A job waits (nobody has locked it), runs (somebody has), or is parked. */
const isWaiting = sql`locked_by is null and parked_at is null`;
const mostParked = 100;

/** What an operator may look at and begin anew, from beside the processes that do the jobs. */
export function inspectJobs(database: Database): Pick<Jobs, "counts" | "parked" | "retry"> {
  return createJobTable(database, "");
}

export type JobTable = ReturnType<typeof createJobTable>;

/**
 * The statements behind the jobs. Each is one statement, and so leaves no moment between looking and writing; `me` is
 * whose locks they are about.
 */
export function createJobTable(database: Database, me: string) {
  const { db, dialect, servers, transaction, hurriedly, now } = database;
  const locked = dialect === "postgres" ? sql`for update` : sql``;
  /** Others may be changing a row in a transaction; it is not waited for. */
  const skipLocked = dialect === "postgres" ? sql`for update skip locked` : sql``;
  const mine = ({ queue, key }: JobName) =>
    sql`queue = ${queue} and key = ${key} and locked_by = ${me}`;

  /** What a power cut takes back of how jobs stand is done once more. */
  const note = <T>(statement: RawBuilder<T>) => hurriedly(() => statement.execute(db));

  async function change(statement: RawBuilder<unknown>): Promise<boolean> {
    const { numAffectedRows = 0n } = await note(statement);
    return numAffectedRows > 0n;
  }

  return {
    async put({ queue, key, guildId, data, isPostponed = false, ...job }: NewJob): Promise<number> {
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
    },

    /** One statement for all queues, because it is asked again and again. */
    async heads(queues: readonly string[]): Promise<JobHeads> {
      const { rows } = await sql<Record<string, number | null>>`
        select ${sql.join([
          sql`(select min(locked_until) from jobs where locked_by is not null) as locked`,
          ...queues.map(
            (queue, n) => sql`(select min(due_at) from jobs
              where queue = ${queue} and ${isWaiting}) as ${sql.ref(`q${n}`)}`,
          ),
        ])}`.execute(db);
      const [row = {}] = rows;
      return {
        dueAt: new Map(queues.map((queue, n) => [queue, row[`q${n}`] ?? never])),
        lockEndsAt: row.locked ?? never,
      };
    },

    /** The first that are due, but for those of some servers. */
    async peek(queue: string, without: readonly number[], limit: number): Promise<JobTurn[]> {
      const others =
        without.length === 0
          ? sql``
          : sql`and (server_id is null or server_id not in (${sql.join(without)}))`;
      const { rows } = await sql<{ key: string; server_id: number | null; due_at: number }>`
        select key, server_id, due_at from jobs
        where queue = ${queue} and ${isWaiting} and due_at <= ${now()} ${others}
        order by due_at limit ${limit}`.execute(db);
      return rows.map((row) => ({ key: row.key, serverId: row.server_id, dueAt: row.due_at }));
    },

    /** Those of them that are still there to have. */
    async lock(queue: string, keys: readonly string[], until: number): Promise<LockedJob[]> {
      const at = now();
      const { rows } = await note(sql<LockedJob>`
        update jobs set locked_by = ${me}, locked_until = ${until}, is_taken_back = 0,
          wanted_at = case when wanted_at > ${at} then wanted_at end
        where queue = ${queue} and key in (
          select key from jobs where queue = ${queue} and key in (${sql.join(keys)})
            and ${isWaiting} and due_at <= ${at} ${skipLocked})
        returning queue, key, server_id, data, due_at, tries,
          (select guild_id from servers where servers.id = jobs.server_id) as guild_id`);
      return rows;
    },

    /** Answers those that are still this process's, and are not taken back. */
    async renew(held: readonly JobName[], until: number): Promise<JobName[]> {
      if (held.length === 0) return [];
      const { rows } = await note(sql<JobName & { is_taken_back: number }>`
        update jobs set locked_until = ${until}
        where locked_by = ${me} and (${sql.join(
          held.map(({ queue, key }) => sql`(queue = ${queue} and key = ${key})`),
          sql` or `,
        )})
        returning queue, key, is_taken_back`);
      return rows.filter((row) => row.is_taken_back === 0);
    },

    /** Jobs whose process is gone wait again; what was taken back meanwhile goes. */
    async releaseExpired(): Promise<void> {
      const expired = sql`locked_by is not null and locked_until < ${now()}`;
      await note(sql`
        delete from jobs where ${expired} and is_taken_back = 1 and wanted_at is null`);
      await note(sql`
        update jobs set locked_by = null, locked_until = null, is_taken_back = 0,
          due_at = case when is_taken_back = 1 then wanted_at else due_at end
        where ${expired}`);
    },

    /** It is over, or due again. */
    async finish(name: JobName, again?: number): Promise<void> {
      if (again !== undefined) {
        const dueAt = Math.round(again);
        const isDue = await change(sql`
          update jobs set locked_by = null, locked_until = null, tries = 0, failure = null,
            due_at = case when is_taken_back = 1 or wanted_at < ${dueAt} then wanted_at
              else ${dueAt} end,
            wanted_at = null, is_taken_back = 0
          where ${mine(name)} and (is_taken_back = 0 or wanted_at is not null)`);
        if (isDue) return;
      }
      if (await change(sql`delete from jobs where ${mine(name)} and wanted_at is null`)) return;
      await note(sql`
        update jobs set locked_by = null, locked_until = null, tries = 0, failure = null,
          due_at = wanted_at, wanted_at = null, is_taken_back = 0
        where ${mine(name)} and wanted_at is not null`);
    },

    /** What was wanted meanwhile is tried then, and not parked. */
    async fail(name: JobName, { code, tries, dueAt, isParked }: JobFailure): Promise<void> {
      const isDone = await change(sql`
        update jobs set locked_by = null, locked_until = null, failure = ${code},
          tries = case when wanted_at is not null and ${isParked ? 1 : 0} = 1 then 0
            else ${tries} end,
          parked_at = case when wanted_at is null 
            then cast(${isParked ? now() : null} as bigint) end,
          due_at = case when wanted_at < ${dueAt} then wanted_at else ${dueAt} end,
          wanted_at = null
        where ${mine(name)} and is_taken_back = 0`);
      if (!isDone) await this.finish(name);
    },

    /** For the next process: as if it had not been begun. */
    async release(name: JobName): Promise<void> {
      const isDone = await change(sql`
        update jobs set locked_by = null, locked_until = null
        where ${mine(name)} and is_taken_back = 0`);
      if (!isDone) await this.finish(name);
    },

    /** One that runs keeps its row until it is over, so that nobody begins another of its key meanwhile. */
    async takeBack({ queue, key }: JobName): Promise<boolean> {
      const at = sql`queue = ${queue} and key = ${key}`;
      return transaction(async () => {
        const { rows } = await sql<{ locked_by: string | null }>`
          select locked_by from jobs where ${at} ${locked}`.execute(db);
        if (rows[0] === undefined) return false;
        if (rows[0].locked_by === null) return change(sql`delete from jobs where ${at}`);
        return change(sql`
          update jobs set is_taken_back = 1, wanted_at = null
          where ${at} and (is_taken_back = 0 or wanted_at is not null)`);
      });
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
          count(*) filter (where ${isWaiting}) as waiting,
          count(*) filter (where ${isWaiting} and due_at <= ${now()}) as due,
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
        .limit(mostParked)
        .execute();
      return rows.map(({ queue, key, guild_id, failure, parked_at }) => ({
        ...{ queue, key, guildId: guild_id ?? undefined },
        ...{ failure: failure ?? "error", parkedAt: parked_at ?? 0 },
      }));
    },
  };
}
