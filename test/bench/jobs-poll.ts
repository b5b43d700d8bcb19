import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { Pool } from "undici";
import { createTimerClock } from "../../src/clock.ts";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import { createHttp } from "../../src/http/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import type { Log } from "../../src/log.ts";
import { createModeration, openRuleEngine } from "../../src/moderation/index.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { pollQueue, watchJob } from "../../src/moderation/watch-jobs.ts";
import { createVideoClient } from "../../src/video/index.ts";
import { fencedDatabase } from "../moderation/support/fenced-database.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { type Service, startService } from "./service.ts";

/**
 * CPU of one poll of a watch that finds nothing, from its job's beginning to its end, compared with the same request
 * and the same statements by hand: those of the polls, in their order, through the database's own driver. Both are
 * warmed up first, like a process that has run for days.
 */
export const rows: BenchRows = { "jobs.poll": polls };

const watches = 500;
const atOnce = 24;
const warmUps = 5;
const mostRatio = 1.5;
const mostMs = 1;
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

async function polls(): Promise<readonly BenchRow[]> {
  const service = await startService("poll-service");
  const found: BenchRow[] = [];
  try {
    for (const { name, make } of kinds) {
      const kind = make?.();
      found.push(...(kind === undefined ? [absent(name)] : await measured(kind, service)));
    }
  } finally {
    await service.stop();
  }
  return found;
}

function absent(name: string): BenchRow {
  const row = { name: `jobs.poll.${name.toLowerCase()}`, value: null, unit: "ms", goal: mostMs };
  return { ...row, ok: true, skipped: `${name} is not installed` };
}

async function measured(kind: Kind, service: Service): Promise<readonly BenchRow[]> {
  try {
    const { url } = await kind.fresh();
    const database = await openDatabase({ url });
    const own = await cpuOfLooks(database, service);
    const units: Unit[] = [];
    await cpuOfLooks(noting(database, units), service, async () => {
      for (const table of ["jobs", "watches"]) {
        await sql
          .raw(`create table ${table}_before as select * from ${table}`)
          .execute(database.db);
      }
      units.length = 0;
    });
    await database.close();
    const byHand = await replayed(kind, url, { units, service });
    const name = `jobs.poll.${kind.dialect}`;
    const ratio = own / byHand;
    return [
      { name, value: own, unit: "ms", peer: byHand, goal: mostMs, ok: own < mostMs },
      {
        name: `${name}.ratio`,
        value: ratio,
        unit: "ratio",
        goal: mostRatio,
        ok: ratio <= mostRatio,
      },
    ];
  } finally {
    await kind.stop();
  }
}

/** CPU for each watch in milliseconds, measured the last time that all are polled. `onLast` is called before it. */
async function cpuOfLooks(
  database: Database,
  service: Service,
  onLast: () => Promise<void> = async () => undefined,
): Promise<number> {
  const http = createHttp();
  const engine = openRuleEngine({ now: Date.now });
  const clock = createTimerClock(Date.now);
  const jobs = createJobs({ database, clock, random: Math.random, log });
  let count = 0;
  createModeration({
    database,
    jobs,
    clock,
    engine,
    log,
    random: Math.random,
    channelMessages: {} as never, // nothing is sent
    video: async () => createVideoClient({ baseUrl: service.url, token: "token", http }),
    takeForDecisions: async () => true,
    linkedAt: async () => 0,
    publicView: async () => undefined,
    left: async () => {
      const left = 1_000_000_000;
      const resetsAt = new Date(Date.now() + 12 * 3_600_000);
      return { used: 0, limit: left, left, reserved: 0, blocked: false, resetsAt };
    },
    settings: async () => ({}),
    channelName: async () => undefined,
    fetchPublic: async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) }),
    notify: async () => undefined,
    onPoll: () => {
      count += 1;
    },
  });
  await putWatches(database);
  for (const guildId of guilds()) await jobs.put(watchJob(pollQueue, { guildId, watchId }));
  const look = async () => {
    count = 0;
    await sql`update jobs set due_at = 0 where queue = ${pollQueue}`.execute(database.db);
    while (count < watches) await wait(20);
    // The last polls have yet to be written to the database.
    await wait(300);
  };
  jobs.start();
  for (let n = 0; n < warmUps; n += 1) await look();
  await onLast();
  const before = process.cpuUsage();
  await look();
  const { user, system } = process.cpuUsage(before);
  await jobs.close();
  await engine.close();
  await http.close();
  return (user + system) / 1_000 / watches;
}

const watchId = "a".repeat(16);
const guilds = () =>
  Array.from({ length: watches }, (_, n) => String(100_000_000_000_000_000 + n * 64));

async function putWatches(database: Database): Promise<void> {
  const records = createModerationRecords(database, { put: async () => undefined });
  for (const guildId of guilds()) {
    await records.watches.change(guildId, watchId, () => ({
      id: watchId,
      channelId: "2".repeat(18),
      source: "UCbench",
      states: ["heldForReview"],
      paceMs: 60_000,
      digestFrom: 6,
      addedBy: "3".repeat(18),
      addedAt: Date.now(),
    }));
  }
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements of one transaction, or one statement alone. */
interface Unit {
  readonly isTransaction: boolean;
  readonly statements: Statement[];
}

/** The same database; its queries are recorded. */
function noting(database: Database, units: Unit[]): Database {
  const within = new AsyncLocalStorage<Unit>();
  return fencedDatabase(database, (send, text, values = []) => {
    const unit = within.getStore();
    const isTransaction = text === "transaction";
    if (unit !== undefined) {
      if (!isTransaction) unit.statements.push({ text, values });
      return send();
    }
    const begun: Unit = { isTransaction, statements: isTransaction ? [] : [{ text, values }] };
    units.push(begun);
    return isTransaction ? within.run(begun, send) : send();
  });
}

/** CPU for each watch in milliseconds, of the requests and the statements. */
async function replayed(
  { dialect }: Kind,
  url: string,
  { units, service }: { readonly units: readonly Unit[]; readonly service: Service },
): Promise<number> {
  const pool = new Pool(service.url, { connections: atOnce, pipelining: 1 });
  const request = { method: "GET", path: "/commentThreads?part=snippet,replies" } as const;
  const driver = dialect === "sqlite" ? byNodeSqlite(url) : await byPg(url);
  const all = async () => {
    // Otherwise the statements would find nothing to change.
    for (const text of asBefore) await driver.run({ text, values: [] });
    const before = process.cpuUsage();
    for (const { isTransaction, statements } of units) {
      if (isTransaction) await driver.run({ text: "BEGIN", values: [] });
      for (const statement of statements) await driver.run(statement);
      if (isTransaction) await driver.run({ text: "COMMIT", values: [] });
    }
    for (let from = 0; from < watches; from += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, watches - from) }, async () =>
        (await pool.request(request)).body.json(),
      );
      await Promise.all(some);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / watches;
  };
  for (let n = 0; n < warmUps; n += 1) await all();
  const ms = await all();
  await driver.close();
  await pool.close();
  return ms;
}

/** Restores jobs and watches as they were before the polls whose statements are repeated. */
const asBefore = [
  "delete from jobs",
  "insert into jobs select * from jobs_before",
  `update watches set progress = (select progress from watches_before as former
    where former.server_id = watches.server_id and former.id = watches.id)`,
];

interface Driver {
  run(statement: Statement): Promise<unknown>;
  close(): Promise<void>;
}

function byNodeSqlite(url: string): Driver {
  const file = new DatabaseSync(url.slice("sqlite:".length));
  file.exec("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON");
  const prepared = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  return {
    run: async ({ text, values }) => {
      const statement = prepared.get(text) ?? file.prepare(text);
      prepared.set(text, statement);
      return statement.all(...(values as SQLInputValue[]));
    },
    close: async () => file.close(),
  };
}

async function byPg(url: string): Promise<Driver> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    run: ({ text, values }) => client.query(text, [...values]),
    close: () => client.end(),
  };
}
