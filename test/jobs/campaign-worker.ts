/** A process that does jobs until it is killed. Arguments: the database's address, its own name, a seed. */
import { setTimeout as wait } from "node:timers/promises";
import { createTimerClock } from "../../src/clock.ts";
import { openDatabase, sql } from "../../src/database/index.ts";
import { createJobs } from "../../src/jobs/index.ts";
import type { Log } from "../../src/log.ts";
import { seeded } from "../support/random.ts";
import { campaignTimes, guildOf, type Step } from "./campaign.ts";

const [url = "", name = "", seed = "1"] = process.argv.slice(2);
const random = seeded(Number(seed));
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const database = await openDatabase({ url });
const { db, now, transaction } = database;
const jobs = createJobs({ database, clock: createTimerClock(now), random, log, ...campaignTimes });
let count = 0;

for (const queue of ["same", "next"] as const) {
  const options = {
    concurrency: 6,
    perServer: 3,
    timeoutMs: 30_000,
    waitMs: { first: 20, longest: 200 },
  };
  jobs.handle(queue, options, async ({ key, data, signal }) => {
    const { chain, step, last } = data as unknown as Step;
    count += 1;
    const run = `${name}:${count}`;
    await sql`insert into runs values (${run}, ${name}, ${queue}, ${key}, ${now()}, null)`.execute(
      db,
    );
    await wait(random() * 30);
    if (random() < 0.05) {
      await sql`update runs set ended = ${now()} where run = ${run}`.execute(db);
      throw new Error("a fault");
    }
    signal.throwIfAborted();
    await transaction(async () => {
      await sql`insert into effects values (${chain}, ${step})`.execute(db);
      if (step < last) {
        const following: Step = { chain, step: step + 1, last };
        await jobs.put({
          queue,
          guildId: guildOf(chain),
          data: { ...following },
          key: queue === "same" ? key : `${chain}:${step + 1}`,
          dueAt: now() + Math.floor(random() * 40),
        });
      }
      await sql`update runs set ended = ${now()} where run = ${run}`.execute(db);
    });
    return undefined;
  });
}
jobs.start();
// The clock's timers do not keep the process alive.
setInterval(() => undefined, 60_000);
console.log("ready");
