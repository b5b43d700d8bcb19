import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { type Database, openDatabase, toDatabaseError } from "../../src/database/index.ts";
import { createJobs, type Job, type JobsDeps, type QueueOptions } from "../../src/jobs/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import type { Kind } from "../support/databases/kinds.ts";

export const guildId = "111111111111111111";
export const otherGuildId = "222222222222222222";
export const usual = { concurrency: 4, perServer: 4, timeoutMs: 60_000 } satisfies QueueOptions;

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** Time that passes only when a test says so; with `isStopped`, timers no longer fire, as in a dead process. */
export class StillTime {
  #now = Date.parse("2026-01-01T12:00:00Z");
  readonly #timers = new Set<Timer>();
  readonly now = () => this.#now;

  clock(isStopped: () => boolean = () => false): Clock {
    return {
      now: this.now,
      after: (ms, call) => {
        const timer = { at: this.#now + ms, call: () => isStopped() || call() };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
    };
  }

  /** Fires timers one by one, each after everything that the one before caused. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.call();
      await settle();
    }
    this.#now = end;
  }
}

/** Counts queries that the database has not answered yet. */
function createCounter(isAway: () => boolean, patienceMs: number) {
  const underWay = new Set<unknown>();
  return {
    /** Counts other work as under way until the returned function is called. */
    hold: () => {
      const held = {};
      underWay.add(held);
      return () => void underWay.delete(held);
    },
    /** The same database; its queries count as under way until they succeed or fail. */
    counted<Tables>(db: Kysely<Tables>) {
      const counted = db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          if (isAway()) throw toDatabaseError(new Error("away"));
          underWay.add(queryId);
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      // A plugin is not told about a query that fails.
      const executor = counted.getExecutor();
      const execute = executor.executeQuery.bind(executor);
      executor.executeQuery = (query, ...rest) =>
        execute(query, ...rest).finally(() => underWay.delete(query.queryId));
      return counted;
    },
    async settle() {
      const ends = performance.now() + patienceMs;
      for (let quiet = 0; quiet < 8; ) {
        await nextTurn();
        if (performance.now() > ends) underWay.clear();
        quiet = underWay.size === 0 ? quiet + 1 : 0;
      }
    },
  };
}

/** A database whose time stands still, and processes that do its jobs. */
export async function openStage(kind: Pick<Kind, "fresh"> | { readonly url: string }) {
  const { url } = "url" in kind ? kind : await kind.fresh();
  // After this time a query counts as never answered: long where answers are slow, short where failures are frequent.
  const patienceMs = "url" in kind ? 300 : url.startsWith("sqlite:") ? 20 : 10_000;
  const time = new StillTime();
  let isAway = false;
  const { counted, hold, settle } = createCounter(() => isAway, patienceMs);
  const opened = await openDatabase({ url, now: time.now });
  onTestFinished(() => opened.close());
  // Opens the connections, because opening one does not count as work under way.
  await Promise.all(Array.from({ length: 6 }, () => opened.servers.find(guildId)));
  const database: Database = {
    ...opened,
    db: counted(opened.db),
    servers: {
      ...opened.servers,
      need: (id) => opened.servers.need(id).finally(hold()),
      // The work itself does not count: a test may hold it.
      runFor: (id, work, serverId) => {
        const end = hold();
        const run = () => {
          end();
          return work();
        };
        return opened.servers.runFor(id, run, serverId).finally(end);
      },
    },
  };
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({ level: "info", secrets: createSecrets(), write });

  return {
    url,
    database,
    lines,
    now: time.now,
    settle,
    pass: (ms: number) => time.pass(ms, settle),
    /** Sets whether the database fails every query. */
    setAway: (value: boolean) => {
      isAway = value;
    },
    /** A process with jobs. `die` is like a kill: it looks for no jobs and renews nothing any more. */
    process(options: Partial<JobsDeps> = {}) {
      let isDead = false;
      const clock = time.clock(() => isDead);
      const jobs = createJobs({
        database,
        clock,
        random: () => 0.5,
        log,
        elapsed: time.now,
        ...options,
      });
      onTestFinished(async () => {
        const closed = jobs.close();
        await time.pass(5_000, settle);
        if (!isDead) await closed;
      });
      return Object.assign(jobs, {
        die: () => {
          isDead = true;
        },
      });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A handler that records its jobs and finishes each when the test says so. */
export function heldHandler() {
  const begun: Job[] = [];
  const ends: PromiseWithResolvers<number | undefined>[] = [];
  return {
    begun,
    keys: () => begun.map(({ key }) => key),
    work: (job: Job) => {
      const end = Promise.withResolvers<number | undefined>();
      begun.push(job);
      ends.push(end);
      return end.promise;
    },
    end: (n: number, again?: number) => ends[n]?.resolve(again),
    fail: (n: number, error: Error) => ends[n]?.reject(error),
  };
}

type JobsProcess = ReturnType<Stage["process"]>;

/** Makes the process do a queue's jobs, which finish when the test says so. */
export function holdJobs(jobs: JobsProcess, queue = "mail", options: Partial<QueueOptions> = {}) {
  const { work, ...held } = heldHandler();
  jobs.handle(queue, { ...usual, ...options }, work);
  return held;
}

/** Starts the process and gives it a job `a`, which has begun afterwards. */
export async function startWith(
  jobs: JobsProcess,
  { pass }: Pick<Stage, "pass">,
  job: Partial<Parameters<JobsProcess["put"]>[0]> = {},
): Promise<void> {
  jobs.start();
  await jobs.put({ queue: "mail", key: "a", ...job });
  await pass(10);
}

/** One process that does the jobs of `mail`, which finish when the test says so. */
export async function openMail(
  kind: Pick<Kind, "fresh">,
  options: Partial<QueueOptions> = {},
  deps: Partial<JobsDeps> = {},
) {
  const stage = await openStage(kind);
  const jobs = stage.process(deps);
  const held = holdJobs(jobs, "mail", options);
  return { ...stage, ...held, jobs };
}
