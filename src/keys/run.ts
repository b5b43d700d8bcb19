import { parseArgs } from "node:util";
import { BotError, ConfigError } from "../errors.ts";
import { openRotation } from "../store/index.ts";
import { findPlace } from "./place.ts";
import { tasks } from "./tasks.ts";

const help = `Changes the master keys that seal what Greenroom stores.

  npm run keys -- status         which key seals how many rows, and which one seals from now on
  npm run keys -- add [id]       makes a key; it opens and does not seal yet
  npm run keys -- promote <id>   puts a key first, so that it seals
  npm run keys -- reseal         seals anew, under the first key, what other keys sealed
  npm run keys -- retire <id>    takes a key out that seals nothing any more

To change the key of a running bot, with no moment in which it can't read something:
  1. add            then restart every process of the bot: now all can open what the new key seals
  2. promote <id>   then restart every process of the bot: now all seal with the new key
  3. reseal         at any time afterwards, while the bot runs; stopped halfway, run it again
  4. retire <old>   the old key is needed for backups from before step 3 only: keep it with them

Options:
  --offline   nothing of this bot is running: promote, reseal and retire ask for no restart
  --help      this text

It reads .env and the environment as the bot does. Exit codes: 0 done, 2 something must be mended first, 1 a fault.
`;

const exitCodes = { done: 0, fault: 1, configuration: 2 } as const;

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `.env` lies, and what relative paths start at. */
  readonly folder: string;
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Answers the exit code. */
export async function runKeys(words: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await run(words, around);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    around.complain(`${error.message}\n${error.hint}`);
    return error instanceof ConfigError ? exitCodes.configuration : exitCodes.fault;
  }
}

async function run(words: readonly string[], { say, ...around }: Surroundings): Promise<number> {
  const { name, id, isOffline, isHelp } = readArguments(words);
  if (isHelp) {
    say(help);
    return exitCodes.done;
  }
  const place = findPlace(around);
  const rotation = await openRotation({ url: place.storeUrl, keys: place.keys });
  try {
    const isDone = await tasks[name]({ say, place, rotation, id, isOffline });
    return isDone ? exitCodes.done : exitCodes.fault;
  } finally {
    await rotation.close();
  }
}

function readArguments(words: readonly string[]) {
  const { values, positionals } = parsed(words);
  const [name = "", id, ...more] = positionals;
  const isHelp = values.help === true || positionals.length === 0;
  if (isHelp) return { name: "status", id, isOffline: false, isHelp } as const;
  if (!isTask(name)) throw usage(`there is no "${name}"`);
  if (more.length > 0) throw usage("that is one word too many");
  if (id === undefined && (name === "promote" || name === "retire")) {
    throw usage(`${name} needs the key's id`);
  }
  if (id !== undefined && (name === "status" || name === "reseal")) {
    throw usage(`${name} takes no id`);
  }
  return { name, id, isOffline: values.offline === true, isHelp };
}

function parsed(words: readonly string[]) {
  const options = { offline: { type: "boolean" }, help: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function isTask(name: string): name is keyof typeof tasks {
  return Object.hasOwn(tasks, name);
}

function usage(what: string): ConfigError {
  return new ConfigError(what, { code: "usage", hint: "See: npm run keys -- --help" });
}
