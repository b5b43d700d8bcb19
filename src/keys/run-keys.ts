import { exitCodes, type ProgramArguments, type ProgramContext, runProgram } from "../cli.ts";
import { openRotation } from "../store/index.ts";
import { findKeyPlace } from "./key-place.ts";
import { keyTasks } from "./tasks.ts";

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

/** Returns the exit code. */
export function runKeys(words: readonly string[], context: ProgramContext): Promise<number> {
  return runProgram({ name: "keys", help, flags: ["offline"], run }, words, context);
}

async function run(args: ProgramArguments, context: ProgramContext): Promise<number> {
  const { say } = context;
  if (args.words.length === 0) {
    say(help);
    return exitCodes.done;
  }
  const { name, id } = taskOf(args);
  const isOffline = args.flags.has("offline");
  const place = findKeyPlace(context);
  const rotation = await openRotation({ url: place.storeUrl, keys: place.keys });
  try {
    const isDone = await keyTasks[name]({ say, place, rotation, id, isOffline });
    return isDone ? exitCodes.done : exitCodes.fault;
  } finally {
    await rotation.close();
  }
}

function taskOf({ words: [name = "", id, ...more], refuse }: ProgramArguments) {
  if (!isTask(name)) throw refuse(`there is no "${name}"`);
  if (more.length > 0) throw refuse("that is one word too many");
  if (id === undefined && (name === "promote" || name === "retire")) {
    throw refuse(`${name} needs the key's id`);
  }
  if (id !== undefined && (name === "status" || name === "reseal")) {
    throw refuse(`${name} takes no id`);
  }
  return { name, id };
}

function isTask(name: string): name is keyof typeof keyTasks {
  return Object.hasOwn(keyTasks, name);
}
