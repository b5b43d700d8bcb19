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

/** Time that passes only when a test says so; `stopped` imitates a process that has died. */
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

  /** Timers come one after the other, each after all that the one before has set off. */
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

/** Counts what the database has not answered yet. */
function createCounter(isAway: () => boolean, patienceMs: number) {
  const underWay = new Set<unknown>();
  return {
    /** Counts something else as under way, until what it answers is called. */
    hold: () => {
      const held = {};
      underWay.add(held);
      return () => void underWay.delete(held);
    },
    /** The same database, whose queries count as under way until they are answered or fail. */
    counted<Tables>(db: Kysely<Tables>) {
      const counted = db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          if (isAway()) throw toDatabaseError(new Error("away"));
          underWay.add(queryId);
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      // A plugin does not hear of a query that fails.
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
  // A query whose answer never comes: long where answers take their time, short where failures are many.
  const patienceMs = "url" in kind ? 300 : url.startsWith("sqlite:") ? 20 : 10_000;
  const time = new StillTime();
  let isAway = false;
  const { counted, hold, settle } = createCounter(() => isAway, patienceMs);
  const opened = await openDatabase({ url, now: time.now });
  onTestFinished(() => opened.close());
  // A connection that is only being made is not seen as work under way.
  await Promise.all(Array.from({ length: 6 }, () => opened.servers.find(guildId)));
  const database: Database = {
    ...opened,
    db: counted(opened.db),
    servers: {
      ...opened.servers,
      need: (id) => opened.servers.need(id).finally(hold()),
      // The work itself may be one that a test holds.
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
    /** Whether the database answers nothing. */
    setAway: (value: boolean) => {
      isAway = value;
    },
    /** Of the program: `die` is a kill, after which it neither looks nor says anything. */
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

/** A handler that records its jobs, and ends each when the test says so. */
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

/** Lets it do the jobs of a queue, which the test ends. */
export function holdJobs(jobs: JobsProcess, queue = "mail", options: Partial<QueueOptions> = {}) {
  const { work, ...held } = heldHandler();
  jobs.handle(queue, { ...usual, ...options }, work);
  return held;
}

/** Starts it with a job `a`, which is begun afterwards. */
export async function startWith(
  jobs: JobsProcess,
  { pass }: Pick<Stage, "pass">,
  job: Partial<Parameters<JobsProcess["put"]>[0]> = {},
): Promise<void> {
  jobs.start();
  await jobs.put({ queue: "mail", key: "a", ...job });
  await pass(10);
}

/** One process that is ready for `mail`, whose jobs the test ends. */
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
