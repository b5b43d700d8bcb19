import { existsSync } from "node:fs";
import { openDatabase, parseSqlitePath } from "../database/index.ts";
import { ConfigError } from "../errors.ts";
import { inspectJobs } from "../jobs/index.ts";
import {
  exitCodes,
  type ProgramArguments,
  type ProgramContext,
  readProgramSettings,
  runProgram,
} from "./program.ts";

const help = `Shows the jobs that Greenroom has to do, and retries those that failed for good.

  npm run jobs                        how many jobs there are, and which of them failed for good
  npm run jobs -- retry <queue> [key] retries those of a queue, or one of them
  npm run jobs -- retry all           retries all of them

Fix the cause first: the log has it at "a job failed for good". You can run this while the bot is running; it does the jobs within a second.
It reads .env and the environment as the bot does. Exit codes: 0 done, 2 something has to be fixed first, 1 an error.
`;

/** Returns the exit code. */
export function runJobs(words: readonly string[], context: ProgramContext): Promise<number> {
  return runProgram({ name: "jobs", help, flags: [], run }, words, context);
}

async function run(args: ProgramArguments, context: ProgramContext): Promise<number> {
  const request = readRequest(args);
  const database = await openDatabase({ url: findAddress(context) });
  try {
    const jobs = inspectJobs(database);
    context.say(request === undefined ? await listJobs(jobs) : await retry(jobs, request, args));
    return exitCodes.done;
  } finally {
    await database.close();
  }
}

type InspectedJobs = ReturnType<typeof inspectJobs>;

/** Undefined if no job is to be retried; in all queues without a `queue`. */
function readRequest({ words: [task, queue, key, ...more], refuse }: ProgramArguments) {
  if (task === undefined) return undefined;
  if (task !== "retry") throw refuse(`there is no "${task}"`);
  if (queue === undefined) throw refuse("retry needs the name of a queue, or all");
  if (more.length > 0) throw refuse("there is one word too many");
  return { queue: queue === "all" ? undefined : queue, key };
}

function findAddress(context: ProgramContext): string {
  const { storeUrl: url } = readProgramSettings(context);
  const path = parseSqlitePath(url);
  if (path === undefined || existsSync(path)) return url;
  throw new ConfigError(`there is no database at ${path}`, {
    code: "store_file",
    hint: "Run this in the bot's folder, with the bot's environment.",
  });
}

async function listJobs(jobs: InspectedJobs): Promise<string> {
  const counts = await jobs.counts();
  const parked = await jobs.parked();
  const lines = counts.map(
    (each) =>
      `${each.queue}: ${each.waiting} waiting (${each.due} due), ${each.running} running, ${each.parked} failed for good`,
  );
  if (lines.length === 0) return "There are no jobs.";
  for (const { queue, key, failure, parkedAt, guildId } of parked) {
    const server = guildId === undefined ? "" : `, server ${guildId}`;
    const at = new Date(parkedAt).toISOString();
    lines.push(`  failed for good: ${queue} ${key} (${failure}${server}, ${at})`);
  }
  return lines.join("\n");
}

async function retry(
  jobs: InspectedJobs,
  { queue, key }: NonNullable<ReturnType<typeof readRequest>>,
  { refuse }: Pick<ProgramArguments, "refuse">,
): Promise<string> {
  const count = await jobs.retry(queue, key);
  if (count === 0) {
    const queues = (await jobs.counts()).map((each) => each.queue);
    if (queue !== undefined && !queues.includes(queue)) {
      throw refuse(`no job is in a queue "${queue}"; queues: ${queues.join(", ") || "none"}`);
    }
    return key === undefined ? "No job failed for good." : `No job "${key}" failed for good.`;
  }
  return count === 1 ? "1 job will be retried." : `${count} jobs will be retried.`;
}
