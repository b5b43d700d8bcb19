/**
 * A process that does jobs and prints what they took. Arguments: the database's address, how many jobs, and which
 * `Way`.
 */
import { setTimeout as wait } from "node:timers/promises";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase, sql } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import type { Log } from "../../src/log.ts";
import { type JobsFigures, p99, type Way } from "./jobs.ts";

const [url = "", amount = "0", way = "idle"] = process.argv.slice(2) as [string, string, Way];
/** About as many as the program has. */
const queues = Array.from({ length: 10 }, (_, n) => `q${n}`);
/** Jobs a second, of all queues together. */
const perSecond = 100;
const measuredMs = 10_000;
const options = { concurrency: 8, perServer: 4, timeoutMs: 60_000 };

// What goes wrong shows in the figures.
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const database = await openDatabase({ url });
const { db, now, transaction } = database;
const jobs = createJobs({ database, clock: createTimerClock(now), random: Math.random, log });
const late: number[] = [];
const count = Number(amount);
const everyMs = (count / perSecond) * 1_000;

for (const queue of queues) {
  jobs.handle(queue, options, async ({ dueAt }) => {
    late.push(now() - dueAt);
    return dueAt + everyMs;
  });
}
await sql`delete from jobs`.execute(db);
const first = now() + (way === "idle" ? 3_600_000 : 2_000);
await transaction(async () => {
  for (let n = 0; n < count; n += 1) {
    const guildId = String(100_000_000_000_000_000n + BigInt(n % 500));
    const dueAt = first + (n * 1_000) / perSecond;
    await jobs.put({ queue: `q${n % 10}`, key: `k${n}`, guildId, data: { n }, dueAt });
  }
});
if (way !== "floor") jobs.start();
await wait(3_000);
late.length = 0;
const before = process.cpuUsage();
await wait(measuredMs);
const { user, system } = process.cpuUsage(before);
globalThis.gc?.();
globalThis.gc?.();
const figures: JobsFigures = {
  cpuPercent: ((user + system) / 1_000 / measuredMs) * 100,
  rssMiB: process.memoryUsage().rss / 1024 / 1024,
  begun: late.length,
  lateMs: p99(late),
};
console.log(JSON.stringify(figures));
process.exit();
