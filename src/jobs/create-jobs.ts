import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import type { Log } from "../log.ts";
import { chooseFairly } from "./fair-turns.ts";
import { createJobTable, type JobName, type LockedJob } from "./job-table.ts";
import { type HandledQueue, JobLost, runJob, waitMsAfter } from "./run-job.ts";
import type { Jobs, QueueOptions } from "./types.ts";

export interface JobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often it looks for jobs that other processes made: half a second where absent. */
  readonly lookEveryMs?: number;
  /** How often it says that it lives while it does jobs: 4 seconds where absent. */
  readonly renewEveryMs?: number;
  /** A process that says nothing for so long has died, and its jobs are anybody's: 15 seconds where absent. */
  readonly lockMs?: number;
}

/** What ignores its signal when the process stops keeps its job; another process has it once the lock ends. */
const closeMs = 2_500;

interface Running extends JobName {
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

const nameOf = ({ queue, key }: JobName) => `${queue} ${key}`;

/** Jobs as rows of a table, for all processes that share a database. */
export function createJobs(deps: JobsDeps): Jobs {
  const { database, clock, random, log } = deps;
  const { lookEveryMs = 500, renewEveryMs = 4_000, lockMs = 15_000 } = deps;
  const { now } = database;
  const table = createJobTable(database, randomUUID());
  const queues = new Map<string, HandledQueue>();
  const running = new Map<string, Running>();
  /** A timer that is set within a work or a transaction would carry it on into other works. */
  const outside = AsyncLocalStorage.snapshot();
  let stopLook: () => void = () => undefined;
  let stopRenewing: (() => void) | undefined;
  let lookAt = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let isStarted = false;
  /** After the database was away every process says first that it lives. */
  let trustLocksAt = 0;
  let isAway = false;

  /** One timer for everything that is due. */
  function wake(at: number): void {
    if (!isStarted || at >= lookAt) return;
    stopLook();
    lookAt = at;
    const waitMs = Math.max(0, Math.min(at - now(), lookEveryMs));
    stopLook = outside(() => clock.after(waitMs, startLook));
  }

  function startLook(): void {
    // Whatever wakes it meanwhile is seen by the look that follows.
    if (looking !== undefined) return;
    lookAt = Number.POSITIVE_INFINITY;
    looking = look()
      .then(noteBack, noteAway)
      .then((next) => {
        looking = undefined;
        const at = Math.min(next, lookAt);
        stopLook();
        lookAt = Number.POSITIVE_INFINITY;
        wake(at);
      });
  }

  /** Answers when to look again. */
  async function look(): Promise<number> {
    const latest = now() + lookEveryMs;
    const open = [...queues.keys()].filter((queue) => roomOf(queue) > 0);
    const { dueAt, lockEndsAt } = await table.heads(open);
    if (lockEndsAt < now() && trustLocksAt < now()) {
      // What runs here is kept, even where this process was away for long.
      await renew();
      await table.releaseExpired();
      return now();
    }
    let begun = 0;
    for (const [queue, at] of dueAt) if (at <= now()) begun += await claim(queue);
    // By a timer and not at once: other work of this process has its turn between two looks.
    if (begun > 0) return now();
    // What is due and was not begun has no turn here now.
    return Math.min(latest, ...[...dueAt.values()].filter((at) => at > now()));
  }

  function noteBack(next: number): number {
    if (isAway) log.info("jobs are looked for again");
    isAway = false;
    return next;
  }

  function noteAway(error: unknown): number {
    if (!isAway) log.warn("jobs could not be looked for", { error });
    isAway = true;
    trustLocksAt = now() + 2 * renewEveryMs;
    return now() + lookEveryMs;
  }

  function runningOf(queue: string): readonly Running[] {
    return [...running.values()].filter((one) => one.queue === queue);
  }

  function roomOf(queue: string): number {
    return (queues.get(queue)?.options.concurrency ?? 0) - runningOf(queue).length;
  }

  /** Answers how many it began. */
  async function claim(queue: string): Promise<number> {
    const handled = queues.get(queue);
    if (handled === undefined || !isStarted) return 0;
    const counts = new Map<number, number>();
    for (const { serverId } of runningOf(queue)) {
      if (serverId !== null) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    }
    const chosen = await chooseFairly({
      ...{ room: roomOf(queue), perServer: handled.options.perServer, running: counts },
      peek: (without, limit) => table.peek(queue, without, limit),
    });
    // What was lost or taken back here may be free again before it has ended here.
    const keys = chosen.map(({ key }) => key).filter((key) => !running.has(nameOf({ queue, key })));
    if (keys.length === 0) return 0;
    const jobs = await table.lock(queue, keys, now() + lockMs);
    // In the order of their turns, which the database does not keep.
    for (const key of keys) for (const job of jobs) if (job.key === key) begin(job, handled);
    return jobs.length;
  }

  function begin(row: LockedJob, handled: HandledQueue): void {
    const { queue, key, server_id: serverId } = row;
    const stop = new AbortController();
    const over = run(row, handled, stop).finally(() => {
      running.delete(nameOf(row));
      wake(now());
    });
    running.set(nameOf(row), { queue, key, serverId, stop, over });
    if (!isStarted) stop.abort(new Error("the bot stops"));
    stopRenewing ??= outside(() => clock.after(renewEveryMs, keepRenewing));
  }

  async function run(row: LockedJob, handled: HandledQueue, stop: AbortController): Promise<void> {
    // Its server is being erased, and it goes with it.
    const isOrphan = row.server_id !== null && row.guild_id === null;
    try {
      const { servers } = database;
      const again = isOrphan ? undefined : await runJob({ clock, servers }, row, handled, stop);
      await table.finish(row, again);
    } catch (error) {
      await end(row, handled.options, { error, reason: stop.signal.reason }).catch(
        (cause: unknown) =>
          log.warn("a job's failure was not written down", { queue: row.queue, error: cause }),
      );
    }
  }

  async function end(
    row: LockedJob,
    options: QueueOptions,
    { error, reason }: { readonly error: unknown; readonly reason: unknown },
  ): Promise<void> {
    // It goes with its server, watch or feed.
    if (row.server_id !== null && isGuildErased(error)) return table.finish(row);
    // The next process begins it anew; what was taken back goes, and what another one has is left to it.
    if (!isStarted || reason instanceof JobLost) return table.release(row);
    const { queue, key, guild_id: guild } = row;
    const tries = row.tries + 1;
    const isParked = options.mostTries !== undefined && tries >= options.mostTries;
    log[isParked ? "error" : "warn"](isParked ? "a job failed for good" : "a job failed", {
      ...{ queue, key, guild, tries, error },
    });
    const dueAt = now() + waitMsAfter(tries, options, random);
    await table.fail(row, { code: codeOf(error), tries, dueAt, isParked });
  }

  async function keepRenewing(): Promise<void> {
    stopRenewing = undefined;
    if (running.size === 0 || !isStarted) return;
    try {
      await renew();
    } catch (error) {
      noteAway(error);
    }
    if (isStarted) stopRenewing ??= outside(() => clock.after(renewEveryMs, keepRenewing));
  }

  /** Says that this process lives, and hears which of its jobs it has lost. */
  async function renew(): Promise<void> {
    const asked = [...running.values()];
    const held = new Set((await table.renew(asked, now() + lockMs)).map(nameOf));
    for (const one of asked) {
      // It may be over meanwhile.
      if (held.has(nameOf(one)) || running.get(nameOf(one)) !== one) continue;
      one.stop.abort(new JobLost("another process does this job, or it was taken back"));
    }
  }

  async function close(): Promise<void> {
    isStarted = false;
    stopLook();
    stopRenewing?.();
    for (const { stop } of running.values()) stop.abort(new Error("the bot stops"));
    const late = Promise.withResolvers<void>();
    const stopTimer = clock.after(closeMs, late.resolve);
    const ended = async () => {
      // A look that is under way may still begin jobs, which end at once.
      await looking;
      await Promise.all([...running.values()].map(({ over }) => over));
    };
    await Promise.race([late.promise, ended()]);
    stopTimer();
    const left = [...running.values()].map(({ queue }) => queue);
    if (left.length > 0) log.warn("jobs went on while the bot stopped", { queues: left });
  }

  return {
    handle: (queue, options, work) => void queues.set(queue, { options, work }),
    async put(job) {
      const dueAt = await table.put(job);
      if (queues.has(job.queue)) database.afterCommit(() => wake(dueAt));
    },
    async remove(queue, key) {
      const wasThere = await table.takeBack({ queue, key });
      const one = running.get(nameOf({ queue, key }));
      database.afterCommit(() => one?.stop.abort(new JobLost("the job was taken back")));
      return wasThere;
    },
    start() {
      isStarted = true;
      wake(now());
    },
    counts: () => table.counts(),
    parked: () => table.parked(),
    async retry(queue, key) {
      const count = await table.retry(queue, key);
      if (count > 0) database.afterCommit(() => wake(now()));
      return count;
    },
    close,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}
