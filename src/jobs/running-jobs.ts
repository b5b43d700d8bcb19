import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type Clock, withTimeout } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import type { Log } from "../log.ts";
import { chooseFairly } from "./fair-turns.ts";
import {
  failJob,
  finishJob,
  type LockedJob,
  type LockOwner,
  lockJobs,
  releaseJob,
  renewLocks,
} from "./job-locks.ts";
import { type JobName, peekJobs } from "./job-table.ts";
import { type HandledQueue, JobLost, runJob, waitMsAfter } from "./run-job.ts";
import type { QueueOptions } from "./types.ts";

interface RunningJobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often the locks of what runs are renewed, and how long they last. */
  readonly renewEveryMs: number;
  readonly lockMs: number;
  /** Called when a job is over: another one may have its place. */
  readonly onEnd: () => void;
  /** Called when locks could not be renewed. */
  readonly onAway: (error: unknown) => void;
}

interface RunningJob extends JobName {
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

interface State extends RunningJobsDeps {
  readonly owner: LockOwner;
  readonly running: Map<string, RunningJob>;
  /** A timer that is set within a job would carry that job's context on into others. */
  readonly outside: ReturnType<typeof AsyncLocalStorage.snapshot>;
  stopRenewing: (() => void) | undefined;
  isStopping: boolean;
}

/** What ignores its signal when the process stops keeps its job; another process has it once the lock ends. */
const closeMs = 2_500;

const nameOf = ({ queue, key }: JobName) => `${queue} ${key}`;

export type RunningJobs = ReturnType<typeof createRunningJobs>;

/** Jobs that this process does: locks them, runs them, and writes down what came of them. */
export function createRunningJobs(deps: RunningJobsDeps) {
  const state: State = {
    ...deps,
    owner: { database: deps.database, me: randomUUID() },
    running: new Map(),
    outside: AsyncLocalStorage.snapshot(),
    stopRenewing: undefined,
    isStopping: false,
  };
  return {
    /** How many more of that queue may run here. */
    room: (queue: string, { concurrency }: QueueOptions) =>
      concurrency - runningOf(state, queue).length,
    /** Begins what is due of a queue, as far as there is room; answers how many that were. */
    begin: (queue: string, handled: HandledQueue) => beginDue(state, queue, handled),
    /** Says that this process lives, and hears which of its jobs it has lost. */
    renew: () => renew(state),
    find: (name: JobName) => state.running.get(nameOf(name)),
    close: (searchEnded: () => Promise<void> | undefined) => close(state, searchEnded),
  };
}

function runningOf({ running }: State, queue: string): readonly RunningJob[] {
  return [...running.values()].filter((one) => one.queue === queue);
}

async function beginDue(state: State, queue: string, handled: HandledQueue): Promise<number> {
  if (state.isStopping) return 0;
  const { database, owner, running, lockMs } = state;
  const { concurrency, perServer } = handled.options;
  const here = runningOf(state, queue);
  const counts = new Map<number, number>();
  for (const { serverId } of here) {
    if (serverId !== null) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
  }
  const chosen = await chooseFairly({
    ...{ room: concurrency - here.length, perServer, running: counts },
    peek: (without, limit) => peekJobs(database, queue, { without, limit }),
  });
  // What was lost or taken back here may be free again before it has ended here.
  const keys = chosen.map(({ key }) => key).filter((key) => !running.has(nameOf({ queue, key })));
  if (keys.length === 0) return 0;
  const jobs = await lockJobs(owner, queue, { keys, until: database.now() + lockMs });
  // In the order of their turns, which the database does not keep.
  for (const key of keys) for (const job of jobs) if (job.key === key) begin(state, job, handled);
  return jobs.length;
}

function begin(state: State, row: LockedJob, handled: HandledQueue): void {
  const { queue, key, server_id: serverId } = row;
  const stop = new AbortController();
  const over = run(state, row, { handled, stop }).finally(() => {
    state.running.delete(nameOf(row));
    state.onEnd();
  });
  state.running.set(nameOf(row), { queue, key, serverId, stop, over });
  if (state.isStopping) stop.abort(new Error("the bot stops"));
  renewLater(state);
}

async function run(
  state: State,
  row: LockedJob,
  { handled, stop }: { readonly handled: HandledQueue; readonly stop: AbortController },
): Promise<void> {
  const { database, clock, log, owner } = state;
  // Its server is being erased, and it goes with it.
  const isOrphan = row.server_id !== null && row.guild_id === null;
  try {
    const { servers } = database;
    const again = isOrphan ? undefined : await runJob({ clock, servers }, row, handled, stop);
    await finishJob(owner, row, again);
  } catch (error) {
    const { reason } = stop.signal;
    await end(state, row, { options: handled.options, error, reason }).catch((cause: unknown) =>
      log.warn("a job's failure was not written down", { queue: row.queue, error: cause }),
    );
  }
}

interface EndOptions {
  readonly options: QueueOptions;
  readonly error: unknown;
  /** Why it was stopped, where it was. */
  readonly reason: unknown;
}

async function end(
  { database, random, log, owner, isStopping }: State,
  row: LockedJob,
  { options, error, reason }: EndOptions,
): Promise<void> {
  // It goes with its server, watch or feed.
  if (row.server_id !== null && isGuildErased(error)) return finishJob(owner, row);
  // The next process begins it anew; what was taken back goes, and what another one has is left to it.
  if (isStopping || reason instanceof JobLost) return releaseJob(owner, row);
  const { queue, key, guild_id: guild } = row;
  const tries = row.tries + 1;
  const isParked = options.mostTries !== undefined && tries >= options.mostTries;
  log[isParked ? "error" : "warn"](isParked ? "a job failed for good" : "a job failed", {
    ...{ queue, key, guild, tries, error },
  });
  const dueAt = database.now() + waitMsAfter(tries, options, random);
  await failJob(owner, row, { code: codeOf(error), tries, dueAt, isParked });
}

function renewLater(state: State): void {
  const { clock, outside, renewEveryMs } = state;
  state.stopRenewing ??= outside(() => clock.after(renewEveryMs, () => keepRenewing(state)));
}

async function keepRenewing(state: State): Promise<void> {
  state.stopRenewing = undefined;
  if (state.running.size === 0 || state.isStopping) return;
  try {
    await renew(state);
  } catch (error) {
    state.onAway(error);
  }
  if (!state.isStopping) renewLater(state);
}

async function renew({ database, owner, running, lockMs }: State): Promise<void> {
  const asked = [...running.values()];
  const held = new Set((await renewLocks(owner, asked, database.now() + lockMs)).map(nameOf));
  for (const one of asked) {
    // It may be over meanwhile.
    if (held.has(nameOf(one)) || running.get(nameOf(one)) !== one) continue;
    one.stop.abort(new JobLost("another process does this job, or it was taken back"));
  }
}

async function close(state: State, searchEnded: () => Promise<void> | undefined): Promise<void> {
  const { running, clock, log } = state;
  state.isStopping = true;
  state.stopRenewing?.();
  for (const { stop } of running.values()) stop.abort(new Error("the bot stops"));
  const ended = async () => {
    // A search that is under way may still begin jobs, which end at once.
    await searchEnded();
    await Promise.all([...running.values()].map(({ over }) => over));
  };
  // What is still there then is named below.
  await withTimeout(ended, { ms: closeMs, clock }).catch(() => undefined);
  const left = [...running.values()].map(({ queue }) => queue);
  if (left.length > 0) log.warn("jobs went on while the bot stopped", { queues: left });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}
