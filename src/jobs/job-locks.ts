import { type Database, sql } from "../database/index.ts";
import { changeJobs, executeUrgently, isWaitingSql, type JobRef } from "./job-table.ts";

/** A process that runs jobs. A job that it has locked is not run by any other. */
export interface LockOwner {
  readonly database: Database;
  /** An id of this process alone. */
  readonly me: string;
  /** How long a lock lasts from when it is written, unless it is renewed. */
  readonly lockMs: number;
}

export interface LockedJob {
  readonly queue: string;
  readonly key: string;
  readonly server_id: number | null;
  /** Null if the server was erased; then the job will be deleted. */
  readonly guild_id: string | null;
  readonly data: string;
  readonly due_at: number;
  readonly tries: number;
}

interface JobFailure {
  readonly code: string;
  readonly tries: number;
  readonly dueAt: number;
  readonly isParked: boolean;
}

function isMine({ me }: LockOwner, { queue, key }: JobRef) {
  return sql`queue = ${queue} and key = ${key} and locked_by = ${me}`;
}

export async function lockJobs(
  { database, me, lockMs }: LockOwner,
  queue: string,
  keys: readonly string[],
): Promise<readonly LockedJob[]> {
  const at = database.now();
  const take = sql<LockedJob>`
    update jobs set locked_by = ${me}, locked_until = ${database.after(lockMs)}, is_taken_back = 0,
      wanted_at = case when wanted_at > ${at} then wanted_at end
    where queue = ${queue} and key in (
      select key from jobs where queue = ${queue} and key in (${sql.join(keys)})
        and ${isWaitingSql} and due_at <= ${at} ${database.skipLocked})
    returning queue, key, server_id, data, due_at, tries,
      (select guild_id from servers where servers.id = jobs.server_id) as guild_id`;
  const { rows } = await executeUrgently(database, take);
  return rows;
}

/** Adds a job and locks it; false while another process has it. */
export async function holdJob(
  { database, me, lockMs }: LockOwner,
  { queue, key }: JobRef,
): Promise<boolean> {
  return changeJobs(
    database,
    sql`
      insert into jobs (queue, key, data, due_at, tries, locked_by, locked_until)
      values (${queue}, ${key}, 'null', ${database.now()}, 0, ${me}, ${database.after(lockMs)})
      on conflict (queue, key) do update set locked_by = excluded.locked_by,
        locked_until = excluded.locked_until, due_at = excluded.due_at, tries = 0,
        failure = null, parked_at = null, wanted_at = null, is_taken_back = 0
      where jobs.locked_by is null or jobs.locked_by = excluded.locked_by`,
  );
}

/** Renews locks; returns the jobs that this process still has and that were not removed, without those that were skipped. */
export async function renewLocks(
  { database, me, lockMs }: LockOwner,
  held: readonly JobRef[],
): Promise<readonly JobRef[]> {
  const renew = sql<JobRef & { is_taken_back: number }>`
    update jobs set locked_until = ${database.after(lockMs)}
    where (queue, key) in (select queue, key from jobs where locked_by = ${me} and (${sql.join(
      held.map(({ queue, key }) => sql`(queue = ${queue} and key = ${key})`),
      sql` or `,
    )}) ${database.skipLocked})
    returning queue, key, is_taken_back`;
  const { rows } = await executeUrgently(database, renew);
  return rows.filter((row) => row.is_taken_back === 0);
}

/** By its own clock a process counts as dead after this share of a lock; in the rest, what it has begun comes to an end. */
export const ownShareOfLock = 2 / 3;

/** Whether this process still has a job, and no other takes it in the rest of a lock. */
export async function ownsJob(owner: LockOwner, name: JobRef): Promise<boolean> {
  const { database, lockMs } = owner;
  const restMs = Math.round(lockMs * (1 - ownShareOfLock));
  const mine = sql`
    select 1 from jobs
    where ${isMine(owner, name)} and is_taken_back = 0 and locked_until >= ${database.after(restMs)}`;
  const { rows } = await executeUrgently(database, mine);
  return rows.length > 0;
}

/**
 * Frees the jobs of dead processes; jobs that were removed meanwhile are deleted. `only` is the one process that lives, if
 * there can be no other.
 */
export async function releaseLocks(database: Database, only?: string): Promise<void> {
  const of =
    only === undefined
      ? sql`locked_by is not null and locked_until < ${database.after(0)}`
      : sql`locked_by <> ${only}`;
  // What another process frees or renews at this moment is skipped, not waited for.
  const expired =
    database.dialect === "sqlite"
      ? of
      : sql`(queue, key) in (select queue, key from jobs where ${of} ${database.skipLocked})`;
  const remove = sql`
    delete from jobs where ${expired} and is_taken_back = 1 and wanted_at is null`;
  await executeUrgently(database, remove);
  const free = sql`
    update jobs set locked_by = null, locked_until = null, is_taken_back = 0,
      due_at = case when is_taken_back = 1 then wanted_at else due_at end
    where ${expired}`;
  await executeUrgently(database, free);
}

export async function finishJob(owner: LockOwner, name: JobRef, again?: number): Promise<void> {
  const { database } = owner;
  if (again !== undefined) {
    const dueAt = Math.round(again);
    const repeat = sql`
      update jobs set locked_by = null, locked_until = null, tries = 0, failure = null,
        due_at = case when is_taken_back = 1 or wanted_at < ${dueAt} then wanted_at
          else ${dueAt} end,
        wanted_at = null, is_taken_back = 0
      where ${isMine(owner, name)} and (is_taken_back = 0 or wanted_at is not null)`;
    if (await changeJobs(database, repeat)) return;
  }
  const end = sql`delete from jobs where ${isMine(owner, name)} and wanted_at is null`;
  if (await changeJobs(database, end)) return;
  const begin = sql`
    update jobs set locked_by = null, locked_until = null, tries = 0, failure = null,
      due_at = wanted_at, wanted_at = null, is_taken_back = 0
    where ${isMine(owner, name)} and wanted_at is not null`;
  await executeUrgently(database, begin);
}

/** Stores a failure. If the job was put again meanwhile, it is run then and not parked. */
export async function failJob(
  owner: LockOwner,
  name: JobRef,
  { code, tries, dueAt, isParked }: JobFailure,
): Promise<void> {
  const { database } = owner;
  const fail = sql`
    update jobs set locked_by = null, locked_until = null, failure = ${code},
      tries = case when wanted_at is not null and ${isParked ? 1 : 0} = 1 then 0
        else ${tries} end,
      parked_at = case when wanted_at is null
        then cast(${isParked ? database.now() : null} as bigint) end,
      due_at = case when wanted_at < ${dueAt} then wanted_at else ${dueAt} end,
      wanted_at = null
    where ${isMine(owner, name)} and is_taken_back = 0`;
  const isDone = await changeJobs(database, fail);
  if (!isDone) await finishJob(owner, name);
}

/** Gives a job back to other processes, as if it had not been started. */
export async function releaseJob(owner: LockOwner, name: JobRef): Promise<void> {
  const { database } = owner;
  const release = sql`
    update jobs set locked_by = null, locked_until = null
    where ${isMine(owner, name)} and is_taken_back = 0`;
  const isDone = await changeJobs(database, release);
  if (!isDone) await finishJob(owner, name);
}
