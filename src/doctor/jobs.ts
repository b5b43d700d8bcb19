import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { openDatabase, sqliteFileOf } from "../database/index.ts";
import { BotError } from "../errors.ts";
import { inspectJobs, type ParkedJob, type QueueCounts } from "../jobs/index.ts";
import { type Finding, ok, skipped, warning } from "./types.ts";

const check = "jobs";

/** What failed for good, by queue and by the failure's code. */
export async function jobs({ store: { url }, mode }: Config): Promise<readonly Finding[]> {
  if (mode === "sandbox") return [skipped(check, "the sandbox makes its own")];
  const path = sqliteFileOf(url);
  if (path !== undefined && !existsSync(path)) return [skipped(check, "nothing is stored yet")];
  try {
    const { counts, parked } = await read(url);
    return findings(counts, parked);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    return [skipped(check, "the store can't be read")];
  }
}

async function read(url: string) {
  const database = await openDatabase({ url });
  try {
    const all = inspectJobs(database);
    return { counts: await all.counts(), parked: await all.parked() };
  } finally {
    await database.close();
  }
}

function findings(
  counts: readonly QueueCounts[],
  parked: readonly ParkedJob[],
): readonly Finding[] {
  const waiting = counts.reduce((sum, each) => sum + each.waiting + each.running, 0);
  if (parked.length === 0) return [ok(check, `${numbered(waiting)} to do; none failed for good`)];
  const kinds = Map.groupBy(parked, ({ queue, failure }) => `${queue} (${failure})`);
  return [...kinds].map(([kind, some]) =>
    warning(
      check,
      `${numbered(some.length)} of ${kind} failed for good`,
      `Find the cause in the log ("a job failed for good"), mend it, and run: npm run jobs -- retry ${some[0]?.queue}`,
    ),
  );
}

function numbered(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}
