import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createRetention } from "../../src/bot/retention.ts";
import { type Database, openDatabase, sql } from "../../src/database/index.ts";
import type { JobHandler } from "../../src/jobs/index.ts";
import { createStore, type Store } from "../../src/store/index.ts";
import { findPostgres, startPostgres } from "../support/databases/postgres-server.ts";
import type { BenchRow, BenchRows } from "./row.ts";

/** Work on a whole server or on all of them, which must not hold up anything else meanwhile. */
export const rows: BenchRows = { erase: eraseRows, retention: retentionRows };

const maxStallMs = 50;
const maxMiB = 50;
const guild = "111111111111111111";
const day = 24 * 3_600_000;

interface Opened {
  readonly database: Database;
  readonly store: Store;
}

/** Measures with a new database of each kind that this machine has. */
async function onEach(
  measure: (opened: Opened, name: string) => Promise<readonly BenchRow[]>,
): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-bench-"));
  const server = findPostgres() === undefined ? undefined : await startPostgres();
  const places = [["sqlite", `sqlite:${join(folder, "a.sqlite")}`] as const];
  const found = server === undefined ? [] : [["postgres", server.url] as const];
  const all: BenchRow[] = [];
  try {
    for (const [name, url] of [...places, ...found]) {
      const database = await openDatabase({ url });
      const store = await createStore({ database, keys: [{ id: "k1", key: new Uint8Array(32) }] });
      all.push(...(await measure({ database, store }, name)));
      await store.close();
    }
    return all;
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Erases a server with 100,000 rows. */
function eraseRows(): Promise<readonly BenchRow[]> {
  return onEach(async ({ database, store }, name) => {
    await fill(database, { guildId: "222222222222222222", comments: 20_000, entries: 30_000 });
    await fill(database, { guildId: guild, comments: 40_000, entries: 60_000 });
    const { stallMs, ms } = await measured(() => store.eraseServer(guild));
    const floor = longestFsyncMs();
    return [
      { ...row(`erase.stall.${name}`, stallMs, { unit: "ms", goal: maxStallMs }), floor },
      row(`erase.time.${name}`, ms, { unit: "ms", goal: null }),
    ];
  });
}

/** Deletes the rows of one day from a million. */
function retentionRows(): Promise<readonly BenchRow[]> {
  return onEach(async ({ database, store }, name) => {
    for (let n = 0; n < 10; n += 1) {
      const guildId = String(BigInt(guild) + BigInt(n));
      await fill(database, { guildId, comments: 30_000, entries: 70_000 });
    }
    let work: JobHandler | undefined;
    createRetention({
      store,
      log: { info: () => undefined, warn: () => undefined },
      discord: Promise.resolve({ reconcile: async () => undefined }),
      jobs: {
        handle: (queue, _, handler) => {
          if (queue === "retention") work = handler;
        },
        put: async () => undefined,
      },
    });
    const run = async () => void (await work?.({} as never));
    const { stallMs, ms, grownMiB } = await measured(run);
    const floor = longestFsyncMs();
    return [
      { ...row(`retention.stall.${name}`, stallMs, { unit: "ms", goal: maxStallMs }), floor },
      row(`retention.memory.${name}`, grownMiB, { unit: "MiB", goal: maxMiB }),
      row(`retention.time.${name}`, ms, { unit: "ms", goal: null }),
    ];
  });
}

function row(name: string, value: number, more: Pick<BenchRow, "unit" | "goal">): BenchRow {
  return { name, value, ...more, ok: more.goal === null || value <= more.goal };
}

async function measured(work: () => Promise<void>) {
  globalThis.gc?.();
  await wait(100);
  const before = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  delay.enable();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  // The event-loop delay counts a wait only when it ends.
  await wait(5);
  delay.disable();
  clearInterval(timer);
  return { ms, stallMs: delay.max / 1e6, grownMiB: (most - before) / 2 ** 20 };
}

/** How long the disk alone holds up a process that writes as much as a small commit. */
function longestFsyncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-bench-"));
  const file = openSync(join(folder, "a"), "w");
  try {
    const times = Array.from({ length: 50 }, () => {
      writeSync(file, Buffer.alloc(16 * 1024, 1));
      const begun = performance.now();
      fsyncSync(file);
      return performance.now() - begun;
    });
    return Math.max(...times);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Filled {
  readonly guildId: string;
  readonly comments: number;
  readonly entries: number;
}

/** Comments of 60 days and log entries of a year, evenly spread; the database itself makes them. */
async function fill(database: Database, { guildId, comments, entries }: Filled): Promise<void> {
  const { db, dialect, servers, now } = database;
  const id = await servers.need(guildId);
  const watch = { server_id: id, id: "w0", source: "UC-a", is_paused: 0, added_at: 0, data: "{}" };
  await db
    .insertInto("watches")
    .values({ ...watch, pace_ms: 60_000, poll_units: 1 })
    .execute();
  const numbers = (from: number, to: number) =>
    dialect === "sqlite"
      ? sql`(with recursive g(n) as (select ${sql.lit(from)} union all select n + 1 from g where n < ${sql.lit(to)}) select n from g) s`
      : sql`(select n from generate_series(${sql.lit(from)}::bigint, ${sql.lit(to)}) as g(n)) s`;
  const text = "What a lovely video, thank you so much for it. ".repeat(8);
  const data = JSON.stringify({ id: "c", comment: { text, authorName: "Ada Lovelace" }, text });
  const today = now();
  const step = (days: number, count: number) => Math.floor((days * day) / count);
  const read = sql`${sql.lit(today)} - n * ${sql.lit(step(60, comments))}`;
  for (let from = 1; from <= comments; from += 5_000) {
    await sql`insert into held_comments (server_id, watch_id, id, source, status, listed_as, published_at,
        due_at, card_state, needs_drawing, digest_id, likeness, read_at, ended_at, has_text, data)
      select ${id}, 'w0', 'i' || n, 'UC-a', 'approved', 'heldForReview', ${read}, null, 'posted', 0, null, 'l' || n, ${read},
        case when n % 4 = 0 then ${read} else null end,
        case when ${read} < ${sql.lit(today - 31 * day)} then 0 else 1 end, ${data}
      from ${numbers(from, Math.min(comments, from + 4_999))}`.execute(db);
  }
  const at = sql`${sql.lit(today)} - n * ${sql.lit(step(367, entries))}`;
  for (let from = 1; from <= entries; from += 5_000) {
    await sql`insert into audit_log (server_id, id, at, act, actor_id, comment_id, author_id,
        author_name, has_text, data)
      select ${id}, 'e' || n, ${at}, 'approved', '1', 'c' || n, 'a' || n, 'ada',
        case when ${at} < ${sql.lit(today - 31 * day)} then 0 else 1 end, ${data}
      from ${numbers(from, Math.min(entries, from + 4_999))}`.execute(db);
  }
}
