import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "../database/index.ts";
import { LostError } from "../ownership.ts";
import { releaseLocks } from "./job-locks.ts";
import { executeUrgently, inspectJobs, putJob, readJobHeads, takeBackJob } from "./job-table.ts";
import { createRunningJobs, type QueueHandler, type RunningJobs } from "./running-jobs.ts";
import type { JobHandler, JobsDeps, NewJob, QueueOptions } from "./types.ts";

const usual = { lookEveryMs: 500, renewEveryMs: 4_000, lockMs: 15_000 } as const;

type JobsTimes = Readonly<Record<keyof typeof usual, number>>;

export type Jobs = ReturnType<typeof createJobs>;

/**
 * Durable jobs, stored as rows that all processes share. They survive their process: if it dies, another process continues its
 * jobs within 20 seconds.
 */
export function createJobs(deps: JobsDeps) {
  const options = { elapsed: () => performance.now(), ...usual, ...deps };
  const { database } = deps;
  const { afterCommit, now } = database;
  const queues = new Map<string, QueueHandler>();
  const running = createRunningJobs({
    ...options,
    onEnd: () => timer.wake(now()),
    onAway: (error) => search.noteAway(error),
  });
  const search = createSearch(options, queues, running);
  const timer = createSearchTimer(options, search.look);
  const { read, countHeld, counts, parked, retry } = inspectJobs(database);
  return {
    /** Registers the handler of a queue. Call it once per queue, before `start`. */
    handle: (queue: string, options: QueueOptions, work: JobHandler): void =>
      void queues.set(queue, { options, work }),
    /**
     * Adds a job, or brings an existing one with that key forward; takes part in the current database transaction, if any.
     * A running job runs again afterwards, when it is due. A parked job starts again.
     * @throws ServiceError `store_unavailable`; `guild_erased` where its server is gone.
     */
    async put(job: NewJob): Promise<void> {
      const dueAt = await putJob(database, job);
      if (queues.has(job.queue)) afterCommit(() => timer.wake(dueAt));
    },
    /** The data of a job that waits, runs or is parked; undefined if there is none. @throws ServiceError `store_unavailable`. */
    read,
    /** Removes a job; a running one is stopped by its signal and not repeated. Returns whether it existed. */
    async remove(queue: string, key: string): Promise<boolean> {
      const wasThere = await takeBackJob(database, { queue, key });
      const one = running.find({ queue, key });
      afterCommit(() => one?.stop.abort(new LostError("the job was taken back")));
      return wasThere;
    },
    /**
     * Id of this process, as holder of jobs. Where others may take it for dead, because it stood still or could not renew its
     * locks, reading this stops all that it runs, and answers a new id, which what begins from now on has.
     */
    get processId(): string {
      return running.processId();
    },
    /**
     * Adds a job that this process holds without running it: while it lives nobody runs it; once it is dead, or its jobs are
     * closed, another process runs the queue's handler. The signal aborts with a LostError, before anything else that runs here,
     * where others may take this process for dead: it was paused or cut off from the database for so long.
     * @throws LostError while another process has it; ServiceError `store_unavailable`.
     */
    hold: running.hold,
    /** How many jobs of a queue run or are held, in all processes; cheaper than `counts`. @throws ServiceError `store_unavailable`. */
    countHeld,
    /** Starts to run jobs of the queues that have a handler here. */
    start: timer.start,
    /** How many jobs there are, by queue. @throws ServiceError `store_unavailable`. */
    counts,
    /** Jobs that failed for good, the latest first, at most 100. @throws ServiceError `store_unavailable`. */
    parked,
    /** Restarts parked jobs: one, those of a queue, or all. Returns how many. @throws ServiceError `store_unavailable`. */
    async retry(queue?: string, key?: string): Promise<number> {
      const count = await retry(queue, key);
      if (count > 0) afterCommit(() => timer.wake(now()));
      return count;
    },
    /** Starts no more jobs and stops running ones by their signals; resolves when none run, or after 2.5 seconds. */
    async close(): Promise<void> {
      timer.stop();
      await running.close(timer.ended);
    },
  };
}

function createSearch(
  { database, log, lookEveryMs, renewEveryMs, isAlone = false }: JobsDeps & JobsTimes,
  queues: ReadonlyMap<string, QueueHandler>,
  running: RunningJobs,
) {
  const { now } = database;
  /** After a database failure, expired locks count only from this time, so that every process can first renew its own. */
  let trustLocksAt = 0;
  let isAway = false;
  let hasDeadLocks = isAlone;

  function noteAway(error: unknown): void {
    if (!isAway) log.warn("jobs could not be looked for", { error });
    isAway = true;
    trustLocksAt = now() + 2 * renewEveryMs;
  }

  async function beginDue(): Promise<number> {
    if (hasDeadLocks) await releaseLocks(database, running.processId());
    hasDeadLocks = false;
    const latest = now() + lookEveryMs;
    const open = [...queues].filter(([queue, { options }]) => running.room(queue, options) > 0);
    const { dueAt, isAnyExpired } = await readJobHeads(
      database,
      open.map(([queue]) => queue),
    );
    if (isAnyExpired && trustLocksAt < now()) {
      // Renewed first, so that this process keeps its running jobs even after a long pause.
      await running.renew();
      await releaseLocks(database);
      return now();
    }
    let begun = 0;
    for (const [queue, handled] of open) {
      if ((dueAt.get(queue) ?? latest) <= now()) begun += await running.begin(queue, handled);
    }
    // By a timer and not at once, so that other work of this process runs in between.
    if (begun > 0) return now();
    // A job that is due but was not started has no free place here at present.
    return Math.min(latest, ...[...dueAt.values()].filter((at) => at > now()));
  }

  return {
    noteAway,
    /** Returns when to look again. Never throws. */
    async look(): Promise<number> {
      try {
        // Tries a write that changes nothing: a standby server still answers reads.
        if (isAway) await executeUrgently(database, sql`delete from jobs where 1 = 0`);
        const next = await beginDue();
        if (isAway) log.info("jobs are looked for again");
        isAway = false;
        return next;
      } catch (error) {
        noteAway(error);
        return now() + lookEveryMs;
      }
    },
  };
}

/** One timer for all due jobs; two looks never overlap. `look` answers when to look again. */
function createSearchTimer(
  { clock, database: { now }, lookEveryMs }: JobsDeps & JobsTimes,
  look: () => Promise<number>,
) {
  /** Timers start outside: one that starts in a job or transaction would carry that context into other jobs. */
  const outside = AsyncLocalStorage.snapshot();
  let isStarted = false;
  let stopTimer: () => void = () => undefined;
  let lookAt = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | undefined;

  function wake(at: number): void {
    if (!isStarted || at >= lookAt) return;
    stopTimer();
    lookAt = at;
    const waitMs = Math.max(0, Math.min(at - now(), lookEveryMs));
    stopTimer = outside(() => clock.after(waitMs, startLook));
  }

  function startLook(): void {
    // A wake-up during a look leads to another look afterwards.
    if (looking !== undefined) return;
    lookAt = Number.POSITIVE_INFINITY;
    looking = look().then((next) => {
      looking = undefined;
      const at = Math.min(next, lookAt);
      stopTimer();
      lookAt = Number.POSITIVE_INFINITY;
      wake(at);
    });
  }

  return {
    wake,
    start() {
      isStarted = true;
      wake(now());
    },
    stop() {
      isStarted = false;
      stopTimer();
    },
    /** Resolves when no look is running. */
    ended: () => looking,
  };
}
