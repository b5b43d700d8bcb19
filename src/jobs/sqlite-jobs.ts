import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { type Database, sql } from "../database/index.ts";
import { isGuildErased } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Job, JobHandler, Jobs, NewJob, QueueOptions } from "./types.ts";

export interface JobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** A process that says nothing for so long has died, and its jobs are anybody's. */
const lockMs = 15_000;
const renewEveryMs = 5_000;
/** Other processes write jobs too, and nobody tells this one. */
const lookEveryMs = 1_000;
const usualWaitMs = { first: 1_000, longest: 600_000 } as const;

interface Handled {
  readonly options: QueueOptions;
  readonly work: JobHandler;
}

interface Running {
  readonly queue: string;
  readonly key: string;
  readonly serverId: number | null;
  readonly stop: AbortController;
  readonly over: Promise<void>;
}

interface ClaimedRow {
  readonly queue: string;
  readonly key: string;
  readonly server_id: number | null;
  readonly guild_id: string | null;
  readonly data: string;
  readonly due_at: number;
  readonly tries: number;
}

/** Jobs as rows of a table, for the processes that share an SQLite file. */
export function createSqliteJobs({ database, clock, random, log }: JobsDeps): Jobs {
  const { db, servers, transaction, now } = database;
  const me = randomUUID();
  const queues = new Map<string, Handled>();
  const running = new Map<string, Running>();
  let stopTimer: () => void = () => undefined;
  let stopRenewing: () => void = () => undefined;
  let wakeAt = Number.POSITIVE_INFINITY;
  let isStarted = false;
  let claiming: Promise<void> | undefined;
  let isWanted = false;

  const nameOf = (queue: string, key: string) => `${queue} ${key}`;

  async function put(job: NewJob): Promise<void> {
    const { queue, key, guildId, isPostponed = false, dueAt = now() } = job;
    const data = JSON.stringify(job.data ?? null);
    await transaction(async () => {
      const server_id = guildId === undefined ? null : await servers.need(guildId);
      const row = await db
        .selectFrom("jobs")
        .select(["due_at", "locked_by", "wanted_at", "parked_at"])
        .where("queue", "=", queue)
        .where("key", "=", key)
        .executeTakeFirst();
      if (row === undefined) {
        await db
          .insertInto("jobs")
          .values({ queue, key, server_id, data, due_at: dueAt, tries: 0 } as never)
          .execute();
        return;
      }
      const isRunning = row.locked_by !== null;
      const isParked = row.parked_at !== null;
      const due = isPostponed || isParked ? dueAt : Math.min(row.due_at, dueAt);
      await db
        .updateTable("jobs")
        .set({
          ...(job.data !== undefined && { data }),
          ...(isRunning
            ? { wanted_at: Math.min(row.wanted_at ?? Number.POSITIVE_INFINITY, dueAt) }
            : { due_at: due }),
          ...(isParked && { parked_at: null, tries: 0, failure: null }),
        })
        .where("queue", "=", queue)
        .where("key", "=", key)
        .execute();
    });
    if (isStarted && queues.has(queue)) wake(dueAt);
  }

  /** One timer for all. */
  function wake(at: number): void {
    if (!isStarted || at >= wakeAt) return;
    stopTimer();
    wakeAt = at;
    stopTimer = clock.after(Math.max(0, Math.min(at - now(), lookEveryMs)), () => {
      wakeAt = Number.POSITIVE_INFINITY;
      return claim();
    });
  }

  async function claim(): Promise<void> {
    if (claiming !== undefined) {
      isWanted = true;
      return claiming;
    }
    claiming = claimAll().finally(() => {
      claiming = undefined;
    });
    await claiming;
    if (isWanted) {
      isWanted = false;
      await claim();
    }
  }

  async function claimAll(): Promise<void> {
    try {
      for (const queue of queues.keys()) await claimOf(queue);
      const next = await nextDueAt();
      wake(Math.min(next ?? Number.POSITIVE_INFINITY, now() + lookEveryMs));
    } catch (error) {
      log.warn("jobs could not be looked for", { error });
      wake(now() + lookEveryMs);
    }
  }

  /** Of those that nobody does and that there is room for here. */
  async function nextDueAt(): Promise<number | undefined> {
    const open = [...queues.keys()].filter((queue) => roomOf(queue) > 0);
    if (open.length === 0) return undefined;
    const row = await db
      .selectFrom("jobs")
      .select(({ fn }) => fn.min("due_at").as("at"))
      .where("queue", "in", open)
      .where("locked_by", "is", null)
      .where("parked_at", "is", null)
      .executeTakeFirst();
    return row?.at ?? undefined;
  }

  function roomOf(queue: string): number {
    const concurrency = queues.get(queue)?.options.concurrency ?? 0;
    return concurrency - [...running.values()].filter((one) => one.queue === queue).length;
  }

  async function claimOf(queue: string): Promise<void> {
    const room = roomOf(queue);
    const handled = queues.get(queue);
    if (room < 1 || handled === undefined || !isStarted) return;
    const { perServer } = handled.options;
    const busy = new Map<number | null, number>();
    for (const one of running.values()) {
      if (one.queue === queue) busy.set(one.serverId, (busy.get(one.serverId) ?? 0) + 1);
    }
    const full = [...busy].flatMap(([id, count]) =>
      id !== null && count >= perServer ? [id] : [],
    );
    const at = now();
    const rows = await transaction(async () => {
      const { rows: found } = await sql<ClaimedRow>`
        select queue, key, server_id, data, due_at, tries,
          (select guild_id from servers where id = server_id) as guild_id
        from (
          select *, row_number() over (partition by server_id order by due_at) as turn from jobs
          where queue = ${queue} and due_at <= ${at} and parked_at is null
            and (locked_by is null or locked_until < ${at})
            ${full.length === 0 ? sql`` : sql`and (server_id is null or server_id not in (${sql.join(full)}))`}
        )
        where server_id is null or turn <= ${perServer}
        order by turn, due_at limit ${room}`.execute(db);
      for (const { key } of found) {
        await db
          .updateTable("jobs")
          .set({ locked_by: me, locked_until: at + lockMs, wanted_at: null })
          .where("queue", "=", queue)
          .where("key", "=", key)
          .execute();
      }
      return found;
    });
    for (const row of rows) begin(row, handled);
  }

  function begin(row: ClaimedRow, handled: Handled): void {
    const name = nameOf(row.queue, row.key);
    const stop = new AbortController();
    const over = run(row, handled, stop).finally(() => {
      running.delete(name);
      wake(now());
    });
    const { queue, key, server_id: serverId } = row;
    running.set(name, { queue, key, serverId, stop, over });
  }

  async function run(row: ClaimedRow, { options, work }: Handled, stop: AbortController) {
    const endTimer = clock.after(options.timeoutMs, () =>
      stop.abort(new Error(`a job of ${row.queue} took over ${options.timeoutMs} ms`)),
    );
    const guildId = row.guild_id ?? undefined;
    const job: Job = {
      ...{ key: row.key, guildId, dueAt: row.due_at, failures: row.tries },
      ...{ data: JSON.parse(row.data), signal: stop.signal },
    };
    try {
      const again = await (guildId === undefined
        ? work(job)
        : servers.runFor(guildId, () => work(job)));
      await finish(row, again);
    } catch (error) {
      await failed(row, options, error).catch((cause: unknown) =>
        log.warn("a job's failure was not written down", { queue: row.queue, error: cause }),
      );
    } finally {
      endTimer();
    }
  }

  async function finish({ queue, key }: ClaimedRow, again: number | undefined): Promise<void> {
    await transaction(async () => {
      const row = await mine(queue, key);
      if (row === undefined) return;
      const due = Math.min(
        again ?? Number.POSITIVE_INFINITY,
        row.wanted_at ?? Number.POSITIVE_INFINITY,
      );
      if (due === Number.POSITIVE_INFINITY) {
        await db.deleteFrom("jobs").where("queue", "=", queue).where("key", "=", key).execute();
        return;
      }
      await release(queue, key, { due_at: due, tries: 0, failure: null });
    });
  }

  async function failed(row: ClaimedRow, options: QueueOptions, error: unknown): Promise<void> {
    const { queue, key, guild_id: guild } = row;
    // It goes with its server.
    if (isGuildErased(error)) return void (await remove(queue, key));
    // This process stops; the next one begins it anew.
    if (!isStarted) return release(queue, key, {});
    const { first, longest } = options.waitMs ?? usualWaitMs;
    const tries = row.tries + 1;
    const isParked = options.mostTries !== undefined && tries >= options.mostTries;
    const waitMs = Math.min(longest, first * 2 ** Math.min(tries - 1, 30)) * (0.5 + random() / 2);
    const failure = codeOf(error);
    log[isParked ? "error" : "warn"](isParked ? "a job failed for good" : "a job failed", {
      ...{ queue, key, guild, tries, error },
    });
    await transaction(async () => {
      const stored = await mine(queue, key);
      if (stored === undefined) return;
      const due_at = Math.min(now() + waitMs, stored.wanted_at ?? Number.POSITIVE_INFINITY);
      await release(queue, key, { due_at, tries, failure, parked_at: isParked ? now() : null });
    });
  }

  async function mine(queue: string, key: string) {
    return db
      .selectFrom("jobs")
      .select("wanted_at")
      .where("queue", "=", queue)
      .where("key", "=", key)
      .where("locked_by", "=", me)
      .executeTakeFirst();
  }

  async function release(queue: string, key: string, change: object): Promise<void> {
    await db
      .updateTable("jobs")
      .set({ locked_by: null, locked_until: null, wanted_at: null, ...change })
      .where("queue", "=", queue)
      .where("key", "=", key)
      .where("locked_by", "=", me)
      .execute();
  }

  async function remove(queue: string, key: string): Promise<boolean> {
    running.get(nameOf(queue, key))?.stop.abort(new Error("the job was taken back"));
    const { numDeletedRows } = await db
      .deleteFrom("jobs")
      .where("queue", "=", queue)
      .where("key", "=", key)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Says that this process lives, and hears which of its jobs it has lost. */
  async function renew(): Promise<void> {
    if (!isStarted) return;
    try {
      if (running.size > 0) await renewAll();
    } catch (error) {
      log.warn("jobs under way could not be held", { error });
    }
    stopRenewing = clock.after(renewEveryMs, renew);
  }

  async function renewAll(): Promise<void> {
    await db
      .updateTable("jobs")
      .set({ locked_until: now() + lockMs })
      .where("locked_by", "=", me)
      .execute();
    const rows = await db
      .selectFrom("jobs")
      .select(["queue", "key"])
      .where("locked_by", "=", me)
      .execute();
    const held = new Set(rows.map(({ queue, key }) => nameOf(queue, key)));
    for (const [name, { stop }] of running) {
      if (!held.has(name))
        stop.abort(new Error("another process does this job, or it was taken back"));
    }
  }

  return {
    handle: (queue, options, work) => void queues.set(queue, { options, work }),
    put,
    remove,
    start() {
      isStarted = true;
      wake(now());
      stopRenewing = clock.after(renewEveryMs, renew);
    },
    async counts() {
      const { rows } = await sql<{
        queue: string;
        waiting: number;
        due: number;
        running: number;
        parked: number;
      }>`
        select queue,
          count(*) filter (where locked_by is null and parked_at is null) as waiting,
          count(*) filter (where locked_by is null and parked_at is null and due_at <= ${now()}) as due,
          count(*) filter (where locked_by is not null) as running,
          count(*) filter (where parked_at is not null) as parked
        from jobs group by queue order by queue`.execute(db);
      return rows;
    },
    async parked() {
      const rows = await db
        .selectFrom("jobs")
        .leftJoin("servers", "servers.id", "jobs.server_id")
        .select(["queue", "key", "guild_id", "failure", "parked_at"])
        .where("parked_at", "is not", null)
        .orderBy("parked_at", "desc")
        .limit(100)
        .execute();
      return rows.map(({ queue, key, guild_id, failure, parked_at }) => ({
        ...{ queue, key, guildId: guild_id ?? undefined },
        ...{ failure: failure ?? "error", parkedAt: parked_at ?? 0 },
      }));
    },
    async close() {
      isStarted = false;
      stopTimer();
      stopRenewing();
      await claiming;
      for (const { stop } of running.values()) stop.abort(new Error("the bot stops"));
      await Promise.all([...running.values()].map(({ over }) => over));
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "error";
}
