import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTimerClock } from "../../src/clock.ts";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { endWithThis } from "../support/databases/child.ts";
import { seeded } from "../support/random.ts";

/** The data of a job: one step of a chain. Each step has an effect, stored together with the job of the next step. */
export interface Step {
  readonly chain: number;
  readonly step: number;
  readonly last: number;
}

export interface CampaignResult {
  readonly effects: number;
  /** Effects that never happened. */
  readonly lost: readonly string[];
  /** Jobs that two processes did at the same time. */
  readonly overlaps: readonly string[];
  /** How many jobs are left at the end. */
  readonly left: number;
}

/** Shorter than in production, so that a campaign of hundreds of kills takes minutes. */
export const campaignTimes = { lookEveryMs: 50, renewEveryMs: 500, lockMs: 8_000 } as const;

export const guildOf = (chain: number): string =>
  String(111_111_111_111_111_111n + BigInt(chain % 5));

const worker = fileURLToPath(new URL("campaign-worker.ts", import.meta.url));
const processes = 3;
const lastStep = 9;
const patienceMs = 120_000;

interface Worker {
  readonly name: string;
  readonly child: ChildProcess;
  readonly isReady: Promise<unknown>;
}

/** Again and again kills one of three processes that do chains of jobs, then checks what became of the chains. */
export async function killDoers(
  url: string,
  {
    kills,
    chains,
    seed,
  }: { readonly kills: number; readonly chains: number; readonly seed: number },
): Promise<CampaignResult> {
  const random = seeded(seed);
  const database = await openDatabase({ url });
  const killedAt = new Map<string, number>();
  let started = 0;

  function start(): Worker {
    started += 1;
    const name = `w${started}`;
    const args = [worker, url, name, String(seed + started)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    endWithThis(child);
    return {
      name,
      child,
      isReady: Promise.race([once(child.stdout, "data"), once(child, "exit")]),
    };
  }

  async function end({ name, child }: Worker): Promise<void> {
    killedAt.set(name, database.now());
    if (child.exitCode !== null) throw new Error(`a process ended by itself: ${child.exitCode}`);
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  try {
    await prepare(database, chains);
    const workers = Array.from({ length: processes }, start);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const n = Math.floor(random() * processes);
        const victim = workers[n] as Worker;
        await victim.isReady;
        await wait(random() * 400);
        await end(victim);
        workers[n] = start();
      }
      await allDone(database, chains);
    } finally {
      await Promise.all(workers.map(end));
    }
    return await judge(database, chains, killedAt);
  } finally {
    await database.close();
  }
}

async function prepare(database: Database, chains: number): Promise<void> {
  const { db } = database;
  await sql`create table runs (run text, process text, queue text, key text, begun bigint, ended bigint)`.execute(
    db,
  );
  await sql`create table effects (chain bigint, step bigint)`.execute(db);
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  const jobs = createJobs({
    database,
    clock: createTimerClock(database.now),
    random: Math.random,
    log,
  });
  for (let chain = 0; chain < chains; chain += 1) {
    const data = { chain, step: 0, last: lastStep };
    const queue = chain % 2 === 0 ? "same" : "next";
    const key = queue === "same" ? `${chain}` : `${chain}:0`;
    await jobs.put({ queue, key, guildId: guildOf(chain), data });
  }
}

async function allDone({ db }: Database, chains: number): Promise<void> {
  const ends = performance.now() + patienceMs;
  while (performance.now() < ends) {
    const { rows } = await sql<{ done: number; left: number }>`
      select (select count(distinct chain) from effects where step = ${lastStep}) as done,
        (select count(*) from jobs) as left`.execute(db);
    if (rows[0]?.done === chains && rows[0].left === 0) return;
    await wait(50);
  }
}

async function judge(
  { db }: Database,
  chains: number,
  killedAt: ReadonlyMap<string, number>,
): Promise<CampaignResult> {
  const { rows: effects } = await sql<{ chain: number; step: number }>`
    select distinct chain, step from effects`.execute(db);
  const there = new Set(effects.map(({ chain, step }) => `${chain}:${step}`));
  const wanted = Array.from({ length: chains * (lastStep + 1) }, (_, n) => {
    return `${Math.floor(n / (lastStep + 1))}:${n % (lastStep + 1)}`;
  });
  const { rows: left } = await sql<{ n: number }>`select count(*) as n from jobs`.execute(db);
  return {
    effects: there.size,
    lost: wanted.filter((name) => !there.has(name)),
    overlaps: await overlapsOf(db, killedAt),
    left: left[0]?.n ?? 0,
  };
}

async function overlapsOf(
  db: Database["db"],
  killedAt: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const { rows } = await sql<{
    run: string;
    process: string;
    queue: string;
    key: string;
    begun: number;
    ended: number | null;
  }>`select * from runs order by queue, key, begun`.execute(db);
  const overlaps: string[] = [];
  for (const [n, run] of rows.entries()) {
    const next = rows[n + 1];
    if (next === undefined || next.queue !== run.queue || next.key !== run.key) continue;
    const ended = run.ended ?? killedAt.get(run.process) ?? Number.POSITIVE_INFINITY;
    if (next.begun < ended) overlaps.push(`${run.run} and ${next.run} did ${run.queue} ${run.key}`);
  }
  return overlaps;
}
