import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { backOffMs, waitUnlessAborted, withTimeout } from "../clock.ts";
import { isServerErased } from "../errors.ts";
import { LostError, whileOwned } from "../ownership.ts";
import { chooseNextJobs } from "./choose-next-jobs.ts";
import {
  failJob,
  finishJob,
  holdJob,
  type LockedJob,
  type LockOwner,
  lockJobs,
  ownShareOfLock,
  ownsJob,
  releaseJob,
  renewLocks,
} from "./job-locks.ts";
import { type JobRef, peekJobs } from "./job-table.ts";
import type { Job, JobHandler, JobsDeps, QueueOptions } from "./types.ts";

interface RunningJobsOptions extends JobsDeps {
  readonly renewEveryMs: number;
  readonly lockMs: number;
  readonly elapsed: () => number;
  /** Called when a job ends and another one can start. */
  readonly onEnd: () => void;
  /** Called when locks could not be renewed. */
  readonly onAway: (error: unknown) => void;
}

export interface QueueHandler {
  readonly options: QueueOptions;
  readonly work: JobHandler;
}

interface RunningJob extends JobRef {
  readonly owner: LockOwner;
  /** Whether it is only held, and no handler runs. */
  readonly isHeld?: boolean;
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

/** A job that ignores its signal when the process stops keeps its lock; another process takes it once the lock expires. */
const closeTimeoutMs = 2_500;
/** Work that ignores its signal is abandoned after this long, so that the job is not blocked for ever. */
const ignoredSignalMs = 30_000;
const defaultWaitMs = { first: 1_000, longest: 600_000 } as const;

const formatRef = ({ queue, key }: JobRef) => `${queue} ${key}`;
const stopped = () => new Error("the bot stops");
const takenOver = () => new LostError("another process does this job, or it was taken back");

export type RunningJobs = ReturnType<typeof createRunningJobs>;

/** The jobs that this process runs: locks them, runs them, and stores how they ended. */
export function createRunningJobs(options: RunningJobsOptions) {
  const { database, clock, random, log, onEnd, onAway } = options;
  const { renewEveryMs, lockMs, elapsed, isAlone = false } = options;
  const running = new Map<string, RunningJob>();
  /** Timers start outside: one that starts in a job would carry the job's context into others. */
  const outside = AsyncLocalStorage.snapshot();
  const createOwner = (): LockOwner => ({ database, me: randomUUID(), lockMs });
  /** Another one once this process may count as dead. */
  let owner = createOwner();
  /** By `elapsed`: all locks that the owner has were written at this time or later. */
  let aliveAt = 0;
  let stopLease: (() => void) | undefined;
  let stopRenewing: (() => void) | undefined;
  let isStopping = false;

  /** Those that were not lost. */
  const ownJobs = () => [...running.values()].filter((one) => one.owner === owner);

  const listRunning = (queue: string) =>
    [...running.values()].filter((one) => one.queue === queue && one.isHeld !== true);

  /** All locks of the owner were written at that time or later; looks again when that is too long ago. */
  function noteAlive(since: number): void {
    if (isAlone) return;
    aliveAt = Math.max(aliveAt, since);
    stopLease?.();
    const leftMs = Math.max(0, aliveAt + lockMs * ownShareOfLock - elapsed());
    stopLease = outside(() => clock.after(leftMs + 1, isLost));
  }

  /** Whether others may soon have what was locked at that time. */
  function isOld(since: number): boolean {
    return !isAlone && elapsed() - since > lockMs * ownShareOfLock;
  }

  /** Whether others may take this process for dead. Then all that it runs is stopped, and it goes on as another one. */
  function isLost(): boolean {
    return isOld(aliveAt) && ownJobs().length > 0 && loseAll();
  }

  function loseAll(): boolean {
    if (isStopping) return false;
    const lost = ownJobs();
    owner = createOwner();
    const held = lost.filter((one) => one.isHeld === true);
    for (const { stop } of [...held, ...lost]) stop.abort(new LostError());
    return true;
  }

  /** Whether `by` is still this process, and has what it locked since then. */
  function hasLocked(by: LockOwner, since: number): boolean {
    if (!isLost() && isOld(since)) loseAll();
    if (ownJobs().length === 0) noteAlive(since);
    return by === owner;
  }

  /** Starts due jobs of a queue while there is room; returns how many. */
  async function begin(queue: string, handled: QueueHandler): Promise<number> {
    if (isStopping) return 0;
    const by = owner;
    const { concurrency, perServer } = handled.options;
    const here = listRunning(queue);
    const counts = new Map<number, number>();
    for (const { serverId } of here) {
      if (serverId !== null) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    }
    const chosen = await chooseNextJobs({
      room: concurrency - here.length,
      perServer,
      running: counts,
      peek: (without, limit) => peekJobs(database, queue, { without, limit }),
    });
    // A job that was lost or removed may be free again while its old run is still ending here.
    const keys = chosen
      .map(({ key }) => key)
      .filter((key) => !running.has(formatRef({ queue, key })));
    if (keys.length === 0) return 0;
    const since = elapsed();
    const jobs = await lockJobs(by, queue, keys);
    if (!hasLocked(by, since)) {
      await Promise.all(jobs.map((job) => releaseJob(by, job)));
      return 0;
    }
    // The database does not keep the order of turns.
    for (const job of jobs.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key))) {
      const stop = new AbortController();
      const over = runToEnd(job, handled, stop).finally(() => {
        running.delete(formatRef(job));
        onEnd();
      });
      add({ queue, key: job.key, serverId: job.server_id, owner, stop, over });
    }
    return jobs.length;
  }

  function add(job: RunningJob): void {
    running.set(formatRef(job), job);
    renewLater();
    if (isStopping) job.stop.abort(stopped());
  }

  async function hold({ queue, key }: JobRef): Promise<Pick<Job, "signal">> {
    const by = owner;
    const name = { queue, key };
    const since = elapsed();
    if (!(await holdJob(by, name)) || !hasLocked(by, since)) throw new LostError();
    const stop = new AbortController();
    const aborted = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
    const over = aborted
      // Another process runs it at once.
      .then(() => (isStopping ? releaseJob(by, name) : undefined))
      .catch((error: unknown) => log.warn("a held job was not given back", { error }))
      .finally(() => running.get(formatRef(name)) === held && running.delete(formatRef(name)));
    const held = { ...name, isHeld: true, serverId: null, owner: by, stop, over };
    add(held);
    return { signal: stop.signal };
  }

  async function runToEnd(
    row: LockedJob,
    { options, work }: QueueHandler,
    stop: AbortController,
  ): Promise<void> {
    const by = owner;
    // Its server is being erased, so the job ends without running.
    const isOrphan = row.server_id !== null && row.guild_id === null;
    try {
      const again = isOrphan ? undefined : await run(row, { options, work }, stop);
      await finishJob(by, row, again);
    } catch (error) {
      const { queue, key } = row;
      const ending = endFailed(row, { by, options, error, reason: stop.signal.reason });
      await ending.catch((cause: unknown) =>
        log.warn("a job's failure was not written down", { queue, key, error: cause }),
      );
    }
  }

  /** Runs the handler of a job. @throws what the handler throws; Error if it took too long. */
  async function run(row: LockedJob, { options, work }: QueueHandler, stop: AbortController) {
    const by = owner;
    const guildId = row.guild_id ?? undefined;
    const job: Job = {
      key: row.key,
      guildId,
      dueAt: row.due_at,
      failures: row.tries,
      data: JSON.parse(row.data),
      signal: stop.signal,
    };
    const late = new AbortController();
    let stopTimer = clock.after(options.timeoutMs, () => {
      const error = new Error(`a job of ${row.queue} took over ${options.timeoutMs} ms`);
      stop.abort(error);
      stopTimer = clock.after(ignoredSignalMs, () => late.abort(error));
    });
    const isOwned = async () => {
      // Once it is abandoned or lost, the job may run again here, under the same id.
      if (late.signal.aborted || stop.signal.reason instanceof LostError) return false;
      // A SQLite database has one process.
      const isMine = database.dialect === "sqlite" || (await ownsJob(by, row));
      if (!isMine) stop.abort(takenOver());
      return isMine;
    };
    const doIt = () => whileOwned(isOwned, async () => work(job));
    try {
      const serverId = row.server_id ?? undefined;
      const done =
        guildId === undefined ? doIt() : database.servers.runFor(guildId, doIt, serverId);
      return await waitUnlessAborted(done, late.signal);
    } finally {
      stopTimer();
    }
  }

  /** `reason` is why it was stopped, if it was. */
  async function endFailed(
    row: LockedJob,
    { by, options, error, reason }: FailedRun,
  ): Promise<void> {
    // The job ends with its server, watch or feed.
    if (row.server_id !== null && isServerErased(error)) return finishJob(by, row);
    // The next process runs it again. If it was removed it is deleted, and if another process has it nothing happens.
    if (isStopping || reason instanceof LostError) return releaseJob(by, row);
    const { queue, key, guild_id: guild } = row;
    const tries = row.tries + 1;
    const isParked = options.maxTries !== undefined && tries >= options.maxTries;
    const fields = { queue, key, guild, tries, error };
    if (isParked) log.error("a job failed for good", fields);
    else log.warn("a job failed", fields);
    const { first: firstMs, longest: longestMs } = options.waitMs ?? defaultWaitMs;
    // With jitter, so that jobs don't all return at once.
    const waitMs = backOffMs(tries, { firstMs, longestMs, jitter: 0.5, random });
    const code = error instanceof Error && "code" in error ? String(error.code) : "error";
    await failJob(by, row, { code, tries, dueAt: database.now() + waitMs, isParked });
  }

  /** Renews the locks after that time, and again and again while anything runs. */
  function renewLater(waitMs = renewEveryMs): void {
    stopRenewing ??= outside(() =>
      clock.after(waitMs, async () => {
        stopRenewing = undefined;
        if (running.size === 0 || isStopping) return;
        let nextMs: number | undefined;
        try {
          await renew();
        } catch (error) {
          nextMs = renewEveryMs / 4;
          onAway(error);
        }
        if (!isStopping) renewLater(nextMs);
      }),
    );
  }

  /** Renews the locks, and stops the jobs that this process has lost. */
  async function renew(): Promise<void> {
    if (isLost()) return;
    const by = owner;
    const own = ownJobs();
    if (own.length === 0) return;
    const since = elapsed();
    const kept = new Set((await renewLocks(by, own)).map(formatRef));
    const missed = own.filter((one) => !kept.has(formatRef(one)));
    const owns = await Promise.all(missed.map((one) => ownsJob(by, one)));
    if (by !== owner) return;
    // The held job stands for the process itself.
    if (!missed.some((one) => one.isHeld === true)) noteAlive(since);
    // A job whose row somebody else is changing is kept as long as its lock lasts. Others may have ended meanwhile.
    const lost = missed.filter((one, n) => !owns[n] && running.get(formatRef(one)) === one);
    if (isLost() || (lost.some((one) => one.isHeld === true) && loseAll())) return;
    for (const { stop } of lost) stop.abort(takenOver());
  }

  return {
    processId: () => {
      isLost();
      return owner.me;
    },
    hold,
    /** How many more of that queue may run here. */
    room: (queue: string, { concurrency }: QueueOptions) => concurrency - listRunning(queue).length,
    begin,
    renew,
    find: (name: JobRef) => running.get(formatRef(name)),
    async close(searchEnded: () => Promise<void> | undefined): Promise<void> {
      isStopping = true;
      stopRenewing?.();
      stopLease?.();
      for (const { stop } of running.values()) stop.abort(stopped());
      const ended = withTimeout(
        async () => {
          // A running search may still start jobs, which end at once.
          await searchEnded();
          await Promise.all([...running.values()].map(({ over }) => over));
        },
        { timeoutMs: closeTimeoutMs, clock },
      );
      // Jobs that still run then are logged below.
      await ended.catch(() => undefined);
      const left = [...running.values()].map(({ queue }) => queue);
      if (left.length > 0) log.warn("jobs went on while the bot stopped", { queues: left });
    },
  };
}

interface FailedRun {
  readonly by: LockOwner;
  readonly options: QueueOptions;
  readonly error: unknown;
  readonly reason: unknown;
}
