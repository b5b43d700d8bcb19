import { setTimeout as wait } from "node:timers/promises";
import { openDatabase } from "../../src/database/index.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import { query } from "../support/databases/shared-server.ts";
import type { SpawnedBot } from "../support/spawn-bot.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { openScaleStage } from "./scale-stage.ts";

export const rows: BenchRows = { ...(findPostgres() && { "scale.servers.http": serversOverHttp }) };

const servers = 100_000;
/** As many servers as the caches hold. */
const asking = 10_000;
/** The bot lists all servers once, 200 at a time, 50 times a second. */
const listingMs = 15_000;
const mebibyte = 1024 ** 2;

/** One process of a bot in 100,000 servers, all of them stored: idle, and while a tenth of them use it. */
async function serversOverHttp(): Promise<readonly BenchRow[]> {
  const probe = new URL("./memory-probe.ts", import.meta.url).href;
  const stage = await openScaleStage({
    transport: "http",
    database: "postgres",
    processes: 1,
    idleGuilds: servers,
    fill,
    nodeFlags: ["--expose-gc", `--import=${probe}`],
  });
  const [bot] = stage.bots;
  if (bot === undefined) throw new TypeError("no bot was started");
  try {
    await wait(listingMs);
    const idle = await peakOf(bot);
    const load = await stage.ask({ kind: "idle", perSecond: 100, count: asking });
    const busy = await peakOf(bot);
    const name = "scale.servers.http";
    const { firstMs } = stage;
    const lost = load.sent - load.acknowledged;
    const unit = `of ${load.sent} unacknowledged`;
    return [
      { name, value: idle, unit: "MiB", goal: 200, ok: idle <= 200 },
      { name: `${name}.busy`, value: busy, unit: "MiB at 100 a second", goal: null, ok: true },
      { name: `${name}.first`, value: firstMs, unit: "ms to ack", goal: 5000, ok: firstMs <= 5000 },
      { name: `${name}.lost`, value: lost, unit, goal: 0, ok: lost === 0 },
    ];
  } finally {
    await stage.close();
  }
}

/** The most memory that the process has had resident so far. */
async function peakOf({ child, lines }: SpawnedBot): Promise<number> {
  const memory = () => lines.filter(({ message }) => message === "memory");
  const before = memory().length;
  child.kill("SIGUSR2");
  while (memory().length === before) await wait(50);
  return Number(memory().at(-1)?.peak) / mebibyte;
}

/** Stores the same servers that the load generator has. */
async function fill(url: string): Promise<void> {
  const database = await openDatabase({ url });
  await database.close();
  const ids = `((166000000000 + n)::bigint << 22)::text from generate_series(0, ${servers - 1}) n`;
  await query(
    url,
    `insert into servers (guild_id, added_at) select x.id, 0 from (select ${ids}) x(id)`,
  );
}
