import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Log } from "../log.ts";
import { LostError } from "../ownership.ts";
import { releaseLocks } from "./job-locks.ts";
import {
  checkWrites,
  countHeldJobs,
  inspectJobs,
  putJob,
  readJobData,
  readJobHeads,
  takeBackJob,
} from "./job-table.ts";
import { createRunningJobs, type QueueHandler, type RunningJobs } from "./running-jobs.ts";
import type { Jobs } from "./types.ts";

export interface JobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often it looks for jobs of other processes; half a second when absent. */
  readonly lookEveryMs?: number;
  /** How often it renews the locks of running jobs; 4 seconds when absent. */
  readonly renewEveryMs?: number;
  /**
   * How long a lock lasts. Then the process counts as dead, and others take its jobs; 15 seconds when absent. By its own clock
   * it counts as dead after two thirds of that.
   */
  readonly lockMs?: number;
  /** Milliseconds that never jump; the process's own when absent. */
  readonly elapsed?: () => number;
  /** Whether no other process can use the database: then locks of others are those of dead ones, and end at the start. */
  readonly isAlone?: boolean;
}

const usual = { lookEveryMs: 500, renewEveryMs: 4_000, lockMs: 15_000 } as const;

type JobsTimes = Readonly<Record<keyof typeof usual, number>>;

/** Jobs in a database table, shared by all processes that use the database. */
export function createJobs(deps: JobsDeps): Jobs {
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
  const { counts, parked, retry } = inspectJobs(database);
  return {
    handle: (queue, options, work) => void queues.set(queue, { options, work }),
    async put(job) {
      const dueAt = await putJob(database, job);
      if (queues.has(job.queue)) afterCommit(() => timer.wake(dueAt));
    },
    read: (queue, key) => readJobData(database, { queue, key }),
    async remove(queue, key) {
      const wasThere = await takeBackJob(database, { queue, key });
      const one = running.find({ queue, key });
      afterCommit(() => one?.stop.abort(new LostError("the job was taken back")));
      return wasThere;
    },
    get processId() {
      return running.processId();
    },
    hold: running.hold,
    countHeld: (queue) => countHeldJobs(database, queue),
    start: timer.start,
    counts,
    parked,
    async retry(queue, key) {
      const count = await retry(queue, key);
      if (count > 0) afterCommit(() => timer.wake(now()));
      return count;
    },
    async close() {
      timer.stop();
      await running.close(timer.ended);
    },
  };
}

/** Looks for due jobs and starts them. */
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
        // A standby answers what only reads.
        if (isAway) await checkWrites(database);
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
