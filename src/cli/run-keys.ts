import { openRotation } from "../store/index.ts";
import { findKeyPlace } from "./key-place.ts";
import { keyTasks } from "./key-tasks.ts";
import { exitCodes, type ProgramArguments, type ProgramContext, runProgram } from "./program.ts";

const help = `Changes the master keys that encrypt what Greenroom stores.

  npm run keys -- status         how many rows each key encrypts, and which key is used for new ones
  npm run keys -- add [id]       makes a key, for decrypting only at first
  npm run keys -- promote <id>   makes a key the first, which encrypts
  npm run keys -- reseal         encrypts with the first key what other keys encrypted
  npm run keys -- retire <id>    removes a key that encrypts nothing any more

To change the key of a running bot, so that it can read everything all the time:
  1. add            then restart every process of the bot: now all can decrypt with the new key
  2. promote <id>   then restart every process of the bot: now all encrypt with the new key
  3. reseal         any time later, while the bot is running; if it was stopped, run it again
  4. retire <old>   keep the old key with backups from before step 3: they need it

Options:
  --offline   no process of this bot is running: promote, reseal and retire ask for no restart
  --help      this text

It reads .env and the environment as the bot does. Exit codes: 0 done, 2 something has to be fixed first, 1 an error.
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
  const { name, id } = readTask(args);
  const isOffline = args.flags.has("offline");
  const place = findKeyPlace(context);
  const rotation = await openRotation({ url: place.storeUrl, keys: place.keys });
  try {
    const isDone = await keyTasks[name]({ say, place, rotation, id, isOffline });
    return isDone ? exitCodes.done : exitCodes.failure;
  } finally {
    await rotation.close();
  }
}

function readTask({ words: [name = "", id, ...more], refuse }: ProgramArguments) {
  if (!Object.hasOwn(keyTasks, name)) throw refuse(`there is no "${name}"`);
  if (more.length > 0) throw refuse("there is one word too many");
  if (id === undefined && (name === "promote" || name === "retire")) {
    throw refuse(`${name} needs the key's id`);
  }
  if (id !== undefined && (name === "status" || name === "reseal")) {
    throw refuse(`${name} takes no id`);
  }
  return { name: name as keyof typeof keyTasks, id };
}
