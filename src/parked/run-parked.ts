import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { readConfig } from "../config.ts";
import { openDatabase } from "../database/index.ts";
import { BotError, ConfigError } from "../errors.ts";
import { inspectJobs, type Jobs, type ParkedJob } from "../jobs/index.ts";

const help = `Shows what Greenroom has to do, and begins anew what failed for good.

  npm run jobs                        how many jobs there are, and which failed for good
  npm run jobs -- retry <queue> [key] begins those of a queue anew, or one of them
  npm run jobs -- retry all           begins all of them anew

Mend the cause first: the log's "a job failed for good" has it. It may run beside the bot, which does the jobs within a second.
It reads .env and the environment as the bot does. Exit codes: 0 done, 2 something must be mended first, 1 a fault.
`;

const exitCodes = { done: 0, fault: 1, configuration: 2 } as const;

export interface ParkedSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `.env` lies, and what relative paths start at. */
  readonly folder: string;
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Answers the exit code. */
export async function runParked(
  words: readonly string[],
  around: ParkedSurroundings,
): Promise<number> {
  try {
    await run(words, around);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    around.complain(`${error.message}\n${error.hint}`);
    return error instanceof ConfigError ? exitCodes.configuration : exitCodes.fault;
  }
}

async function run(words: readonly string[], around: ParkedSurroundings): Promise<void> {
  const { retried, isHelp } = readArguments(words);
  if (isHelp) return around.say(help);
  const database = await openDatabase({ url: addressOf(around) });
  try {
    const jobs = inspectJobs(database);
    around.say(retried === undefined ? await listed(jobs) : await retry(jobs, retried));
  } finally {
    await database.close();
  }
}

type Inspected = Pick<Jobs, "counts" | "parked" | "retry">;

interface Retried {
  /** All where absent. */
  readonly queue: string | undefined;
  readonly key: string | undefined;
}

function readArguments(words: readonly string[]) {
  const { values, positionals } = parsed(words);
  const [task, queue, key, ...more] = positionals;
  if (values.help === true) return { isHelp: true, retried: undefined };
  if (task === undefined) return { isHelp: false, retried: undefined };
  if (task !== "retry") throw usage(`there is no "${task}"`);
  if (queue === undefined) throw usage("retry needs the name of a queue, or all");
  if (more.length > 0) throw usage("that is one word too many");
  return { isHelp: false, retried: { queue: queue === "all" ? undefined : queue, key } };
}

function parsed(words: readonly string[]) {
  try {
    const options = { help: { type: "boolean" } } as const;
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function usage(what: string): ConfigError {
  return new ConfigError(what, { code: "usage", hint: "See: npm run jobs -- --help" });
}

/** The environment wins over `.env`, as it does for the bot; the sandbox has a file of its own. */
function addressOf({ env, folder }: ParkedSurroundings): string {
  const file = join(folder, ".env");
  const all = { ...(existsSync(file) && parseEnv(readFileSync(file, "utf8"))), ...env };
  const config = readConfig(all);
  const isOwn = config.mode === "sandbox" && !all.STORE_URL?.trim();
  const url = isOwn ? `sqlite:${join(folder, ".greenroom/sandbox.sqlite")}` : config.store.url;
  const path = /^sqlite:(.+)$/u.exec(url)?.[1];
  if (path === undefined || existsSync(path)) return url;
  throw new ConfigError(`there is no database at ${path}`, {
    code: "store_file",
    hint: "Run this in the bot's folder, with the bot's environment.",
  });
}

async function listed(jobs: Inspected): Promise<string> {
  const counts = await jobs.counts();
  const parked = await jobs.parked();
  const lines = counts.map(
    (each) =>
      `${each.queue}: ${each.waiting} waiting (${each.due} due), ${each.running} running, ${each.parked} failed for good`,
  );
  if (lines.length === 0) return "There are no jobs.";
  return [...lines, ...parked.map(describeParked)].join("\n");
}

function describeParked({ queue, key, failure, parkedAt, guildId }: ParkedJob): string {
  const server = guildId === undefined ? "" : `, server ${guildId}`;
  return `  failed for good: ${queue} ${key} (${failure}${server}, ${new Date(parkedAt).toISOString()})`;
}

async function retry(jobs: Inspected, { queue, key }: Retried): Promise<string> {
  const count = await jobs.retry(queue, key);
  if (count === 0) return "Nothing of that failed for good.";
  return count === 1 ? "1 job begins anew." : `${count} jobs begin anew.`;
}
