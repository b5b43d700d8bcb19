import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type BilledTo, createSpending, projectOfClient } from "../../src/budget/index.ts";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/database/index.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import type { BenchRow, BenchRows } from "./row.ts";

export const rows: BenchRows = {
  "budget.book": async () => [...(await onSqlite()), ...(await onPostgres())],
};

const bookings = 10_000;
/** Calls until V8 has compiled the code. */
const warmUp = 10_000;
/** How many are booked at the same time. */
const inFlight = 50;
/** How many people of one server book on the day. */
const people = 200;
/** Compared with the same statements by hand. */
const goalRatio = 3;
const goalStallMs = 50;

const guildId = "111111111111111111";
const project = projectOfClient("client");
const charge = { method: "commentThreads.list", bucket: "units", cost: 1 } as const;

const billedTo = (n: number): BilledTo => ({
  guildId,
  userId: String(n % people),
  command: "comments list",
  limits: {
    sharer: async () => ({ channelId: "UC1", linkedBy: "1" }),
    quota: { units: 1_000_000 },
    budgets: { units: { amount: 100_000, of: "rank", rank: "moderator" } },
  },
});

async function onSqlite(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-bench-"));
  const path = join(folder, "a.sqlite");
  try {
    const own = await withSpending(`sqlite:${path}`, measured);
    const file = new DatabaseSync(path);
    file.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON");
    const prepared = statements.map(([text, values]) => [file.prepare(text), values] as const);
    const peer = await measured(async (n) => {
      for (const [statement, values] of prepared) statement.all(...values(n));
    });
    file.close();
    return rowsOf("budget.book", own, peer);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(): Promise<readonly BenchRow[]> {
  const name = "budget.book.postgres";
  if (findPostgres() === undefined) {
    const skipped = "there is no PostgreSQL on this machine";
    const row = { value: null, unit: "us", goal: null, ok: true, skipped } as const;
    return [name, together].map((each) => ({ name: each, ...row }));
  }
  const server = await startPostgres();
  try {
    const own = await withSpending(server.url, measured);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const numbered = [...statements.slice(0, 2), locking, ...statements.slice(2)].map(
      ([text, values]) => [numberedText(text), values] as const,
    );
    const peer = await measured(async (n) => {
      for (const [text, values] of numbered) await client.query(text, [...values(n)]);
    });
    const row = await measureTogether(server.url);
    await client.end();
    return [...rowsOf(name, own, peer), row];
  } finally {
    await server.stop();
  }
}

interface Measured {
  readonly cpuUs: number;
  /** The 99th percentile of one booking. */
  readonly wallMs: number;
}

const together = "budget.together";

/** Compared with one bare upsert of the project's row for each booking. */
async function measureTogether(url: string): Promise<BenchRow> {
  const measureEach = async (book: (n: number) => Promise<unknown>) => {
    const start = performance.now();
    let n = 0;
    const bookAll = async () => {
      while (n < bookings) await book(n++);
    };
    await Promise.all(Array.from({ length: inFlight }, bookAll));
    return Math.round(((performance.now() - start) * 1_000) / bookings);
  };
  const value = await withSpending(url, measureEach);
  const pool = new pg.Pool({ connectionString: url });
  const floor = await measureEach((n) => pool.query(upsertOf(n)));
  await pool.end();
  const goal = floor * goalRatio;
  return { name: together, value, unit: "us", floor, goal, ok: value <= goal };
}

function upsertOf(n: number): pg.QueryConfig {
  const [text, values] = statements[6] as (typeof statements)[number];
  return { text: numberedText(text), values: [...values(n)] };
}

async function withSpending<T>(
  url: string,
  measure: (book: (n: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const now = () => Date.parse("2026-01-15T20:00:00Z");
  const database = await openDatabase({ url, now });
  const clock = createTimerClock(now);
  const spending = createSpending({ database, clock, secret: new Uint8Array(32) });
  const own = await measure((n) =>
    database.servers.runFor(guildId, async () => {
      const booking = await spending.account(project, billedTo(n)).book(charge);
      await booking.settle({ attempts: 1 });
    }),
  );
  await spending.close();
  await database.close();
  return own;
}

async function measured(book: (n: number) => Promise<void>): Promise<Measured> {
  for (let n = 0; n < warmUp; n += 1) await book(n);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < bookings; n += 1) {
    const start = performance.now();
    await book(n);
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  return {
    cpuUs: Math.round((user + system) / bookings),
    wallMs: Math.round((times[Math.floor(bookings * 0.99)] ?? 0) * 100) / 100,
  };
}

function rowsOf(name: string, own: Measured, peer: Measured): readonly BenchRow[] {
  const goal = peer.cpuUs * goalRatio;
  const stall = { value: own.wallMs, peer: peer.wallMs, goal: goalStallMs };
  return [
    { name, value: own.cpuUs, unit: "us", peer: peer.cpuUs, goal, ok: own.cpuUs <= goal },
    { name: `${name}.wall`, unit: "ms", ...stall, ok: own.wallMs <= goalStallMs },
  ];
}

const day = "2026-01-15";
const part = "f".repeat(32);

/** The statements of one booking, by hand. */
const statements: readonly (readonly [string, (n: number) => readonly (string | number)[]])[] = [
  ["select id from servers where guild_id = ?", () => [guildId]],
  ["begin", () => []],
  [
    "select used, lent, is_empty from quota where project = ? and day = ? and bucket = ?",
    () => [project, day, "units"],
  ],
  [
    "select used, moderated from quota_parts where day = ? and part = ? and bucket = ?",
    () => [day, part, "units"],
  ],
  [
    "select sum(amount) from spending where server_id = ? and day = ? and bucket = ? and user_id = ?",
    (n) => [1, day, "units", String(n % people)],
  ],
  [
    `insert into spending (server_id, day, bucket, user_id, project, command, method, purpose, amount, count)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (server_id, day, bucket, user_id, project, command, method, purpose) do update
      set amount = spending.amount + excluded.amount, count = spending.count + excluded.count`,
    (n) => [
      ...[1, day, "units", String(n % people), project],
      ...["comments list", charge.method, "", 1, 1],
    ],
  ],
  [
    `insert into quota (project, day, bucket, used, lent, is_empty) values (?, ?, ?, ?, ?, ?)
      on conflict (project, day, bucket) do update
      set used = quota.used + excluded.used, lent = quota.lent + excluded.lent`,
    () => [project, day, "units", 1, 0, 0],
  ],
  [
    `insert into quota_parts (part, day, bucket, used, moderated) values (?, ?, ?, ?, ?)
      on conflict (day, part, bucket) do update
      set used = quota_parts.used + excluded.used, moderated = quota_parts.moderated + excluded.moderated`,
    () => [part, day, "units", 1, 0],
  ],
  ["commit", () => []],
];

/** Only for PostgreSQL: it keeps other processes from counting the same budget at the same time. */
const locking: (typeof statements)[number] = [
  "select pg_advisory_xact_lock(hashtextextended(?, 17)), pg_advisory_xact_lock(hashtextextended(?, 17))",
  (n) => [`1 ${n % people} units`, `${project} ${day} units`],
];

function numberedText(text: string): string {
  let n = 0;
  return text.replace(/\?/gu, () => `$${++n}`);
}
