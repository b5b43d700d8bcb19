import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { backOffMs, type Clock, waitUnlessAborted, withTimeout } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import type { Log } from "../log.ts";
import { LostError, whileOwned } from "../ownership.ts";
import { chooseNextJobs } from "./choose-next-jobs.ts";
import {
  failJob,
  finishJob,
  holdJob,
  type LockedJob,
  type LockOwner,
  lockJobs,
  ownsJob,
  releaseJob,
  renewLocks,
} from "./job-locks.ts";
import { type JobRef, peekJobs } from "./job-table.ts";
import type { HeldJob, Job, JobHandler, QueueOptions } from "./types.ts";

interface RunningJobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often the locks of running jobs are renewed, and how long they last. */
  readonly renewEveryMs: number;
  readonly lockMs: number;
  /** Called when a job ends and another one can start. */
  readonly onEnd: () => void;
  /** Called when locks could not be renewed. */
  readonly onAway: (error: unknown) => void;
}

interface RunningJob extends JobRef {
  /** Whether it is only held, and no handler runs. */
  readonly isHeld?: boolean;
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

interface RunningState extends RunningJobsDeps {
  readonly owner: LockOwner;
  readonly running: Map<string, RunningJob>;
  /** Timers start outside: one that starts in a job would carry the job's context into others. */
  readonly outside: ReturnType<typeof AsyncLocalStorage.snapshot>;
  stopRenewing: (() => void) | undefined;
  isStopping: boolean;
}

/** A job that ignores its signal when the process stops keeps its lock; another process takes it once the lock expires. */
const closeTimeoutMs = 2_500;

/** How soon it looks again whether another process has ended a job that is to be held here. */
const heldRetryMs = 500;

const nameOf = ({ queue, key }: JobRef) => `${queue} ${key}`;

export type RunningJobs = ReturnType<typeof createRunningJobs>;

/** The jobs that this process runs: locks them, runs them, and stores how they ended. */
export function createRunningJobs(deps: RunningJobsDeps) {
  const processId = randomUUID();
  const state: RunningState = {
    ...deps,
    owner: { database: deps.database, me: processId },
    running: new Map(),
    outside: AsyncLocalStorage.snapshot(),
    stopRenewing: undefined,
    isStopping: false,
  };
  return {
    processId,
    hold: (job: JobRef) => holdUntilReleased(state, job),
    /** How many more of that queue may run here. */
    room: (queue: string, { concurrency }: QueueOptions) =>
      concurrency - runningOf(state, queue).length,
    /** Starts due jobs of a queue while there is room; returns how many. */
    begin: (queue: string, handled: QueueHandler) => beginDue(state, queue, handled),
    /** Renews the locks, and stops the jobs that this process has lost. */
    renew: () => renewRunning(state),
    find: (name: JobRef) => state.running.get(nameOf(name)),
    close: (searchEnded: () => Promise<void> | undefined) => closeRunning(state, searchEnded),
  };
}

function runningOf({ running }: RunningState, queue: string): readonly RunningJob[] {
  return [...running.values()].filter((one) => one.queue === queue && one.isHeld !== true);
}

async function beginDue(
  state: RunningState,
  queue: string,
  handled: QueueHandler,
): Promise<number> {
  if (state.isStopping) return 0;
  const { database, owner, running, lockMs } = state;
  const { concurrency, perServer } = handled.options;
  const here = runningOf(state, queue);
  const counts = new Map<number, number>();
  for (const { serverId } of here) {
    if (serverId !== null) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
  }
  const chosen = await chooseNextJobs({
    ...{ room: concurrency - here.length, perServer, running: counts },
    peek: (without, limit) => peekJobs(database, queue, { without, limit }),
  });
  // A job that was lost or removed may be free again while its old run is still ending here.
  const keys = chosen.map(({ key }) => key).filter((key) => !running.has(nameOf({ queue, key })));
  if (keys.length === 0) return 0;
  const jobs = await lockJobs(owner, queue, { keys, until: database.now() + lockMs });
  // The database does not keep the order of turns.
  for (const key of keys)
    for (const job of jobs) if (job.key === key) beginJob(state, job, handled);
  return jobs.length;
}

function beginJob(state: RunningState, row: LockedJob, handled: QueueHandler): void {
  const { queue, key, server_id: serverId } = row;
  const stop = new AbortController();
  const over = runToEnd(state, row, { handled, stop }).finally(() => {
    state.running.delete(nameOf(row));
    state.onEnd();
  });
  state.running.set(nameOf(row), { queue, key, serverId, stop, over });
  if (state.isStopping) stop.abort(new Error("the bot stops"));
  renewLater(state);
}

async function holdUntilReleased(state: RunningState, job: JobRef): Promise<HeldJob> {
  const { owner, database, running, clock, lockMs } = state;
  const name = { queue: job.queue, key: job.key };
  while (!(await holdJob(owner, name, database.now() + lockMs))) {
    if (state.isStopping) throw new LostError("the bot stops");
    await new Promise<void>((resolve) => void clock.after(heldRetryMs, resolve));
  }
  const stop = new AbortController();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const held = { ...name, isHeld: true, serverId: null, stop, over };
  running.set(nameOf(name), held);
  renewLater(state);
  // Another process runs it at once.
  stop.signal.addEventListener("abort", () => {
    const last = state.isStopping ? releaseJob(owner, name) : undefined;
    void Promise.resolve(last)
      .catch((error: unknown) => state.log.warn("a held job was not given back", { error }))
      .finally(() => {
        if (running.get(nameOf(name)) === held) running.delete(nameOf(name));
        end();
      });
  });
  return {
    signal: stop.signal,
    release: async () => {
      if (stop.signal.aborted) return;
      await finishJob(owner, name);
      running.delete(nameOf(name));
      end();
    },
  };
}

async function runToEnd(
  state: RunningState,
  row: LockedJob,
  { handled, stop }: { readonly handled: QueueHandler; readonly stop: AbortController },
): Promise<void> {
  const { log, owner } = state;
  // Its server is being erased, so the job ends without running.
  const isOrphan = row.server_id !== null && row.guild_id === null;
  try {
    const again = isOrphan ? undefined : await runJob(state, row, handled, stop);
    await finishJob(owner, row, again);
  } catch (error) {
    const { reason } = stop.signal;
    const { queue, key } = row;
    await endFailed(state, row, { options: handled.options, error, reason }).catch(
      (cause: unknown) =>
        log.warn("a job's failure was not written down", { queue, key, error: cause }),
    );
  }
}

interface EndOptions {
  readonly options: QueueOptions;
  readonly error: unknown;
  /** Why it was stopped, if it was. */
  readonly reason: unknown;
}

async function endFailed(
  { database, random, log, owner, isStopping }: RunningState,
  row: LockedJob,
  { options, error, reason }: EndOptions,
): Promise<void> {
  // Its server, watch or feed was erased, and the job ends with it.
  if (row.server_id !== null && isGuildErased(error)) return finishJob(owner, row);
  // The next process runs it again. If it was removed it is deleted, and if another process has it nothing happens.
  if (isStopping || reason instanceof LostError) return releaseJob(owner, row);
  const { queue, key, guild_id: guild } = row;
  const tries = row.tries + 1;
  const isParked = options.maxTries !== undefined && tries >= options.maxTries;
  log[isParked ? "error" : "warn"](isParked ? "a job failed for good" : "a job failed", {
    ...{ queue, key, guild, tries, error },
  });
  const dueAt = database.now() + waitMsAfter(tries, options, random);
  await failJob(owner, row, { code: codeOf(error), tries, dueAt, isParked });
}

function renewLater(state: RunningState): void {
  const { clock, outside, renewEveryMs } = state;
  state.stopRenewing ??= outside(() => clock.after(renewEveryMs, () => keepRenewing(state)));
}

async function keepRenewing(state: RunningState): Promise<void> {
  state.stopRenewing = undefined;
  if (state.running.size === 0 || state.isStopping) return;
  try {
    await renewRunning(state);
  } catch (error) {
    state.onAway(error);
  }
  if (!state.isStopping) renewLater(state);
}

async function renewRunning({ database, owner, running, lockMs }: RunningState): Promise<void> {
  const own = [...running.values()];
  const held = new Set((await renewLocks(owner, own, database.now() + lockMs)).map(nameOf));
  for (const one of own) {
    // It may have ended meanwhile.
    if (held.has(nameOf(one)) || running.get(nameOf(one)) !== one) continue;
    one.stop.abort(new LostError("another process does this job, or it was taken back"));
  }
}

async function closeRunning(
  state: RunningState,
  searchEnded: () => Promise<void> | undefined,
): Promise<void> {
  const { running, clock, log } = state;
  state.isStopping = true;
  state.stopRenewing?.();
  for (const { stop } of running.values()) stop.abort(new Error("the bot stops"));
  const ended = async () => {
    // A running search may still start jobs, which end at once.
    await searchEnded();
    await Promise.all([...running.values()].map(({ over }) => over));
  };
  // Jobs that still run then are logged below.
  await withTimeout(ended, { timeoutMs: closeTimeoutMs, clock }).catch(() => undefined);
  const left = [...running.values()].map(({ queue }) => queue);
  if (left.length > 0) log.warn("jobs went on while the bot stopped", { queues: left });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}

export interface QueueHandler {
  readonly options: QueueOptions;
  readonly work: JobHandler;
}

/** Work that ignores its signal is abandoned after this long, so that the job is not blocked for ever. */
const ignoredSignalMs = 30_000;
const defaultWaitMs = { first: 1_000, longest: 600_000 } as const;

/** Runs the handler of a job. @throws what the handler throws; Error if it took too long. */
async function runJob(
  { clock, database: { servers, dialect }, owner }: RunningState,
  row: LockedJob,
  { options, work }: QueueHandler,
  stop: AbortController,
): Promise<number | undefined> {
  const guildId = row.guild_id ?? undefined;
  const serverId = row.server_id ?? undefined;
  const job: Job = {
    ...{ key: row.key, guildId, dueAt: row.due_at, failures: row.tries },
    ...{ data: JSON.parse(row.data), signal: stop.signal },
  };
  const late = new AbortController();
  let stopTimer = clock.after(options.timeoutMs, () => {
    const error = new Error(`a job of ${row.queue} took over ${options.timeoutMs} ms`);
    stop.abort(error);
    stopTimer = clock.after(ignoredSignalMs, () => late.abort(error));
  });
  const isOwned = async () => {
    const isMine = await ownsJob(owner, row);
    if (!isMine) stop.abort(new LostError("another process does this job, or it was taken back"));
    return isMine;
  };
  // A SQLite database has one process.
  const doIt = async () =>
    dialect === "sqlite" ? work(job) : whileOwned(isOwned, async () => work(job));
  try {
    const done = guildId === undefined ? doIt() : servers.runFor(guildId, doIt, serverId);
    return await waitUnlessAborted(done, late.signal);
  } finally {
    stopTimer();
  }
}

/** How long a job waits after this many failures in a row: longer each time, with jitter so that jobs don't all return at once. */
function waitMsAfter(
  failures: number,
  { waitMs = defaultWaitMs }: QueueOptions,
  random: () => number,
): number {
  const { first: firstMs, longest: longestMs } = waitMs;
  return backOffMs(failures, { firstMs, longestMs, jitter: 0.5, random });
}
