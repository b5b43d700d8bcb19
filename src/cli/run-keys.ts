import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";
import {
  addKey,
  createUnknownKeyError,
  formatKeys,
  isInEnvFile,
  type KeyState,
  type MasterKey,
  openRotation,
  putKeyFirst,
  type Rotation,
  readOrMakeKeyFile,
  removeKey,
  sealedKinds,
  sumRows,
  writeEnvFile,
  writeKeyFile,
} from "../store/index.ts";
import {
  exitCodes,
  type ProgramArguments,
  type ProgramContext,
  readProgramSettings,
  runProgram,
} from "./program.ts";

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

interface KeyTask {
  readonly say: (text: string) => void;
  readonly place: KeyPlace;
  readonly rotation: Rotation;
  readonly id: string | undefined;
  readonly isOffline: boolean;
}

/** Each returns whether everything is in order now. */
const keyTasks = { status, add, promote, reseal, retire } as const satisfies Record<
  string,
  (task: KeyTask) => Promise<boolean>
>;

async function status({ say, place, rotation }: KeyTask): Promise<boolean> {
  const states = await rotation.status();
  say(keyTable(states));
  const old = states.filter((state) => !state.isSealing && sumRows(state.rows) > 0);
  if (old.length > 0)
    say("Run: npm run keys -- reseal, to encrypt all of them with the first key.");
  for (const { id } of states.filter(({ canary }) => canary === "unknown")) {
    say(
      `Key "${id}" is not in ${place.name}. Add it there again, or run: npm run keys -- retire ${id}`,
    );
  }
  return true;
}

async function add({ say, place, rotation, id }: KeyTask): Promise<boolean> {
  const taken = (await rotation.status()).map((state) => state.id);
  const added = addKey(place.keys, { id, taken });
  const done = `Key "${added.id}" is made. It decrypts, and does not encrypt yet.`;
  saveKeys({ say, place }, added.keys, done);
  say(`Restart every process of the bot, then run: npm run keys -- promote ${added.id}`);
  return true;
}

async function promote(task: KeyTask): Promise<boolean> {
  const { say, place, id = "" } = task;
  const keys = putKeyFirst(place.keys, id);
  if (place.keys[0]?.id === id) {
    say(`Key "${id}" is already the first.`);
    return true;
  }
  await checkStarted(task, id);
  saveKeys(task, keys, `Key "${id}" is first now.`);
  say(
    "A running bot keeps its old keys. Restart every process of it, so that it encrypts with this key,",
  );
  say("then run: npm run keys -- reseal");
  return true;
}

async function reseal(task: KeyTask): Promise<boolean> {
  const { say, place, rotation } = task;
  const id = place.keys[0]?.id ?? "";
  await checkStarted(task, id);
  let toldAt = Date.now();
  const result = await rotation.reseal(({ done, total }) => {
    if (Date.now() - toldAt < 1000) return;
    toldAt = Date.now();
    say(`${done} of ${total} rows`);
  });
  say(`${formatRows(result.done)} encrypted again with key "${id}".`);
  if (result.failed > 0) {
    say(
      `${formatRows(result.failed)} could not be decrypted with any key here and stay as they are.`,
    );
  }
  const added = result.left - result.failed;
  if (added > 0) {
    say(
      `${formatRows(added)} were encrypted with another key in the meantime, by a bot that was started before`,
    );
    say("the key was promoted. Restart every process of the bot, then run this again.");
    return false;
  }
  if (result.failed > 0) return false;
  const others = place.keys.slice(1).map((key) => key.id);
  if (others.length > 0) {
    say(
      `All rows are encrypted with key "${id}". Once every process of the bot has been restarted after`,
    );
    say(`its promotion, remove the others: npm run keys -- retire ${others[0]}`);
  }
  return true;
}

async function retire({ say, place, rotation, id = "", isOffline }: KeyTask): Promise<boolean> {
  const keys = removeKey(place.keys, id);
  const isHere = keys.length < place.keys.length;
  const isKnown = (await rotation.status()).some((state) => state.id === id);
  if (!isHere && !isKnown) throw createUnknownKeyError(place.keys, id);
  if (!isOffline && (await rotation.sealingAtLastStart()) === id) {
    throw new ConfigError(`the bot last started while key "${id}" was the first`, {
      code: "key_in_use",
      hint: "Restart every process of the bot, run: npm run keys -- reseal, and then this again. If none is running, add --offline.",
    });
  }
  await rotation.retire(id);
  if (isHere) saveKeys({ say, place }, keys, `Key "${id}" is removed.`);
  else say(`Key "${id}" is forgotten.`);
  say("Keep it with earlier backups: they may be encrypted with it.");
  return true;
}

/** A bot that was started before the key was added could not open what the key seals. */
async function checkStarted({ rotation, isOffline }: KeyTask, id: string): Promise<void> {
  if (isOffline) return;
  const state = (await rotation.status()).find((each) => each.id === id);
  if (state?.canary === "opens") return;
  throw new ConfigError(`no bot has been started with key "${id}" yet`, {
    code: "key_unseen",
    hint: "Restart every process of the bot first. Without it, the bot could not decrypt what this key encrypts. If none is running, add --offline.",
  });
}

/** Writes the keys to their place, or says what to write there. */
function saveKeys(
  { say, place }: Pick<KeyTask, "say" | "place">,
  keys: readonly MasterKey[],
  done: string,
): void {
  if (place.write !== undefined) {
    place.write(keys);
    say(`${done} ${place.name} was changed; its other lines stay as they are.`);
    return;
  }
  say(
    "SECRET_KEYS is set in the environment, where you have to change it yourself. Its new value, which is secret:",
  );
  say(`\n${formatKeys(keys)}\n`);
}

function formatRows(count: number): string {
  return count === 1 ? "1 row was" : `${count} rows were`;
}

const columns = [
  "key",
  "seals",
  "credentials",
  "tokens",
  "one-time tokens",
  "revocations",
  "interactions",
  "check",
] as const;

function keyTable(states: readonly KeyState[]): string {
  const lines = states.map(({ id, isSealing, rows, canary }) => {
    const counts = sealedKinds.map((kind) => rows[kind]);
    return [id, isSealing ? "yes" : "", ...counts.map(String), checks[canary]];
  });
  const all = [columns, ...lines];
  const widths = columns.map((_, at) => Math.max(...all.map((line) => (line[at] ?? "").length)));
  return all
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const checks = {
  opens: "ok",
  absent: "no bot has started with it yet",
  another: "not the key that encrypted these rows",
  unknown: "not in SECRET_KEYS",
} as const satisfies Record<KeyState["canary"], string>;

interface KeyPlace {
  readonly name: string;
  readonly storeUrl: string;
  readonly keys: readonly MasterKey[];
  /** Absent if only the operator can change them. */
  readonly write?: (keys: readonly MasterKey[]) => void;
}

function findKeyPlace(context: Pick<ProgramContext, "env" | "folder">): KeyPlace {
  const { envFile, all, config, isSandbox, storeUrl } = readProgramSettings(context);
  if (isSandbox) {
    const name = join(context.folder, ".greenroom/master.key");
    if (!existsSync(name)) {
      throw new ConfigError("no master keys were found", {
        code: "no_keys",
        hint: "Set DISCORD_TOKEN and SECRET_KEYS as .env.example says, or start the sandbox once, and run this in the same folder.",
      });
    }
    const { keys } = readOrMakeKeyFile(name);
    return { name, storeUrl, keys, write: (changed) => writeKeyFile(name, changed) };
  }
  const { keys } = config.store;
  if (context.env.SECRET_KEYS !== undefined || !isInEnvFile(envFile, all.SECRET_KEYS ?? "")) {
    return { name: "the environment", storeUrl, keys };
  }
  return { name: ".env", storeUrl, keys, write: (changed) => writeEnvFile(envFile, changed) };
}
