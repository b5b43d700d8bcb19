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
  ownShareOfLock,
  ownsJob,
  releaseJob,
  renewLocks,
} from "./job-locks.ts";
import { type JobRef, peekJobs } from "./job-table.ts";
import type { Job, JobHandler, QueueOptions } from "./types.ts";

interface RunningJobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often the locks of running jobs are renewed, and how long they last. */
  readonly renewEveryMs: number;
  readonly lockMs: number;
  readonly elapsed: () => number;
  /** Whether no other process can take this one for dead. */
  readonly isAlone?: boolean;
  /** Called when a job ends and another one can start. */
  readonly onEnd: () => void;
  /** Called when locks could not be renewed. */
  readonly onAway: (error: unknown) => void;
}

interface RunningJob extends JobRef {
  readonly owner: LockOwner;
  /** Whether it is only held, and no handler runs. */
  readonly isHeld?: boolean;
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

interface RunningState extends RunningJobsDeps {
  /** Another one once this process counts as dead. */
  owner: LockOwner;
  /** When the locks that the owner has were written for the last time, at the earliest; by `elapsed`. */
  aliveAt: number;
  stopLease: (() => void) | undefined;
  readonly running: Map<string, RunningJob>;
  /** Timers start outside: one that starts in a job would carry the job's context into others. */
  readonly outside: ReturnType<typeof AsyncLocalStorage.snapshot>;
  stopRenewing: (() => void) | undefined;
  isStopping: boolean;
}

/** A job that ignores its signal when the process stops keeps its lock; another process takes it once the lock expires. */
const closeTimeoutMs = 2_500;

const nameOf = ({ queue, key }: JobRef) => `${queue} ${key}`;

export type RunningJobs = ReturnType<typeof createRunningJobs>;

/** The jobs that this process runs: locks them, runs them, and stores how they ended. */
export function createRunningJobs(deps: RunningJobsDeps) {
  const state: RunningState = {
    ...deps,
    owner: createOwner(deps),
    aliveAt: 0,
    stopLease: undefined,
    running: new Map(),
    outside: AsyncLocalStorage.snapshot(),
    stopRenewing: undefined,
    isStopping: false,
  };
  return {
    processId: () => {
      isLost(state);
      return state.owner.me;
    },
    hold: (job: JobRef) => holdUntilClosed(state, job),
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

function createOwner({ database, lockMs }: RunningJobsDeps): LockOwner {
  return { database, me: randomUUID(), lockMs };
}

/** Those that were not lost. */
function ownOf({ running, owner }: RunningState): readonly RunningJob[] {
  return [...running.values()].filter((one) => one.owner === owner);
}

/** All locks of the owner were written since then. */
function noteAlive(state: RunningState, since: number): void {
  const { clock, elapsed, outside, lockMs, isAlone } = state;
  if (isAlone === true) return;
  state.aliveAt = Math.max(state.aliveAt, since);
  state.stopLease?.();
  const leftMs = Math.max(0, state.aliveAt + lockMs * ownShareOfLock - elapsed());
  state.stopLease = outside(() => clock.after(leftMs + 1, () => isLost(state)));
}

/** Whether others may soon have what was locked at that time. */
function isOld({ elapsed, lockMs, isAlone }: RunningState, since: number): boolean {
  return isAlone !== true && elapsed() - since > lockMs * ownShareOfLock;
}

/** Whether others may take this process for dead. Then all that it runs is stopped, and it goes on as another one. */
function isLost(state: RunningState): boolean {
  const isAnyOld = isOld(state, state.aliveAt) && ownOf(state).length > 0;
  return isAnyOld && loseAll(state);
}

function loseAll(state: RunningState): boolean {
  if (state.isStopping) return false;
  const lost = ownOf(state);
  state.owner = createOwner(state);
  const held = lost.filter((one) => one.isHeld === true);
  for (const { stop } of [...held, ...lost]) stop.abort(new LostError());
  return true;
}

/** Whether the owner still has what it has locked since then. */
function hasLocked(state: RunningState, owner: LockOwner, since: number): boolean {
  if (!isLost(state) && isOld(state, since)) loseAll(state);
  if (ownOf(state).length === 0) noteAlive(state, since);
  return owner === state.owner;
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
  const { database, owner, running, elapsed } = state;
  const { concurrency, perServer } = handled.options;
  const here = runningOf(state, queue);
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
  const keys = chosen.map(({ key }) => key).filter((key) => !running.has(nameOf({ queue, key })));
  if (keys.length === 0) return 0;
  const since = elapsed();
  const jobs = await lockJobs(owner, queue, keys);
  if (!hasLocked(state, owner, since)) {
    await Promise.all(jobs.map((job) => releaseJob(owner, job)));
    return 0;
  }
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
  const { owner } = state;
  state.running.set(nameOf(row), { queue, key, serverId, owner, stop, over });
  if (state.isStopping) stop.abort(new Error("the bot stops"));
  renewLater(state);
}

async function holdUntilClosed(state: RunningState, job: JobRef): Promise<Pick<Job, "signal">> {
  const { owner, running, elapsed } = state;
  const name = { queue: job.queue, key: job.key };
  const since = elapsed();
  if (!(await holdJob(owner, name)) || !hasLocked(state, owner, since)) throw new LostError();
  const stop = new AbortController();
  const aborted = new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  const over = aborted
    // Another process runs it at once.
    .then(() => (state.isStopping ? releaseJob(owner, name) : undefined))
    .catch((error: unknown) => state.log.warn("a held job was not given back", { error }))
    .finally(() => running.get(nameOf(name)) === held && running.delete(nameOf(name)));
  const held = { ...name, isHeld: true, serverId: null, owner, stop, over };
  running.set(nameOf(name), held);
  renewLater(state);
  if (state.isStopping) stop.abort(new Error("the bot stops"));
  return { signal: stop.signal };
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
    await endFailed(state, row, { owner, options: handled.options, error, reason }).catch(
      (cause: unknown) =>
        log.warn("a job's failure was not written down", { queue, key, error: cause }),
    );
  }
}

interface EndOptions {
  readonly owner: LockOwner;
  readonly options: QueueOptions;
  readonly error: unknown;
  /** Why it was stopped, if it was. */
  readonly reason: unknown;
}

async function endFailed(
  { database, random, log, isStopping }: RunningState,
  row: LockedJob,
  { owner, options, error, reason }: EndOptions,
): Promise<void> {
  // Its server, watch or feed was erased, and the job ends with it.
  if (row.server_id !== null && isGuildErased(error)) return finishJob(owner, row);
  // The next process runs it again. If it was removed it is deleted, and if another process has it nothing happens.
  if (isStopping || reason instanceof LostError) return releaseJob(owner, row);
  const { queue, key, guild_id: guild } = row;
  const tries = row.tries + 1;
  const isParked = options.maxTries !== undefined && tries >= options.maxTries;
  log[isParked ? "error" : "warn"](isParked ? "a job failed for good" : "a job failed", {
    queue,
    key,
    guild,
    tries,
    error,
  });
  const dueAt = database.now() + waitMsAfter(tries, options, random);
  await failJob(owner, row, { code: codeOf(error), tries, dueAt, isParked });
}

function renewLater(state: RunningState, waitMs = state.renewEveryMs): void {
  const { clock, outside } = state;
  state.stopRenewing ??= outside(() => clock.after(waitMs, () => keepRenewing(state)));
}

async function keepRenewing(state: RunningState): Promise<void> {
  state.stopRenewing = undefined;
  if (state.running.size === 0 || state.isStopping) return;
  let waitMs: number | undefined;
  try {
    await renewRunning(state);
  } catch (error) {
    waitMs = state.renewEveryMs / 4;
    state.onAway(error);
  }
  if (!state.isStopping) renewLater(state, waitMs);
}

async function renewRunning(state: RunningState): Promise<void> {
  if (isLost(state)) return;
  const { owner, running, elapsed } = state;
  const own = ownOf(state);
  if (own.length === 0) return;
  const since = elapsed();
  const kept = new Set((await renewLocks(owner, own)).map(nameOf));
  const missed = own.filter((one) => !kept.has(nameOf(one)));
  const owns = await Promise.all(missed.map((one) => ownsJob(owner, one)));
  if (owner !== state.owner) return;
  // The held job stands for the process itself.
  if (!missed.some((one) => one.isHeld === true)) noteAlive(state, since);
  // A job whose row somebody else is changing is kept as long as its lock lasts. Others may have ended meanwhile.
  const lost = missed.filter((one, n) => !owns[n] && running.get(nameOf(one)) === one);
  if (isLost(state) || (lost.some((one) => one.isHeld === true) && loseAll(state))) return;
  for (const { stop } of lost) {
    stop.abort(new LostError("another process does this job, or it was taken back"));
  }
}

async function closeRunning(
  state: RunningState,
  searchEnded: () => Promise<void> | undefined,
): Promise<void> {
  const { running, clock, log } = state;
  state.isStopping = true;
  state.stopRenewing?.();
  state.stopLease?.();
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
    const isMine = dialect === "sqlite" || (await ownsJob(owner, row));
    if (!isMine) stop.abort(new LostError("another process does this job, or it was taken back"));
    return isMine;
  };
  const doIt = () => whileOwned(isOwned, async () => work(job));
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
