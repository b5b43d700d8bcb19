import { parseArgs } from "node:util";
import { BotError, ConfigError } from "./errors.ts";
import { findPlace, type Place } from "./keys/place.ts";
import { table } from "./keys/table.ts";
import {
  type KeyState,
  type MasterKey,
  openRotation,
  type Rotation,
  unknownKey,
  withFirst,
  withNewKey,
  withoutKey,
  writeKeys,
} from "./store/index.ts";

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

const exitCodes = { fault: 1, configuration: 2 } as const;

interface Task {
  readonly place: Place;
  readonly rotation: Rotation;
  readonly id: string | undefined;
  readonly isOffline: boolean;
}

const tasks = { status, add, promote, reseal, retire } as const satisfies Record<
  string,
  (task: Task) => Promise<void>
>;

try {
  await main();
} catch (error) {
  if (error instanceof BotError) {
    process.stderr.write(`${error.message}\n${error.hint}\n`);
    process.exit(error instanceof ConfigError ? exitCodes.configuration : exitCodes.fault);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(exitCodes.fault);
}

async function main(): Promise<void> {
  const { name, id, isOffline, isHelp } = readArguments();
  if (isHelp) return say(help);
  const task = tasks[name];
  const place = findPlace();
  const rotation = await openRotation({ url: place.storeUrl, keys: place.keys });
  try {
    await task({ place, rotation, id, isOffline });
  } finally {
    await rotation.close();
  }
}

function readArguments() {
  const { values, positionals } = parsed();
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

function parsed() {
  const options = { offline: { type: "boolean" }, help: { type: "boolean" } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
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

async function status({ place, rotation }: Task): Promise<void> {
  const states = await rotation.status();
  say(table(states));
  const old = states.filter((state) => !state.isSealing && rowsOf(state) > 0);
  if (old.length > 0) say("Run: npm run keys -- reseal, to seal all of them with the first key.");
  for (const { id } of states.filter(({ canary }) => canary === "unknown")) {
    say(
      `Key "${id}" is not in ${place.name}. Put it back there, or run: npm run keys -- retire ${id}`,
    );
  }
}

async function add({ place, rotation, id }: Task): Promise<void> {
  const taken = (await rotation.status()).map((state) => state.id);
  const added = withNewKey(place.keys, { id, taken });
  change(place, added.keys, `Key "${added.id}" is made. It opens and does not seal yet.`);
  say(`Restart every process of the bot, then run: npm run keys -- promote ${added.id}`);
}

async function promote({ place, rotation, id = "", isOffline }: Task): Promise<void> {
  const keys = withFirst(place.keys, id);
  if (place.keys[0]?.id === id) return say(`Key "${id}" is the first already.`);
  await requireStarted({ rotation, id, isOffline });
  change(place, keys, `Key "${id}" is first now.`);
  say(
    "A bot that runs goes on as it was. Restart every process of it, so that it seals with this key;",
  );
  say("then run: npm run keys -- reseal");
}

async function reseal({ place, rotation, isOffline }: Task): Promise<void> {
  const id = place.keys[0]?.id ?? "";
  await requireStarted({ rotation, id, isOffline });
  let toldAt = Date.now();
  const result = await rotation.reseal(({ done, total }) => {
    if (Date.now() - toldAt < 1000) return;
    toldAt = Date.now();
    say(`${done} of ${total} rows`);
  });
  say(`${counted(result.done)} sealed anew with key "${id}".`);
  if (result.failed > 0) {
    say(`${counted(result.failed)} could not be opened with any key here and stayed as they are.`);
    process.exitCode = exitCodes.fault;
  }
  const added = result.left - result.failed;
  if (added > 0) {
    say(
      `${counted(added)} were sealed with another key meanwhile: a bot runs that was started before`,
    );
    say("the key was promoted. Restart every process of it, then run this again.");
    return;
  }
  if (result.left > 0) return;
  const others = place.keys.slice(1).map((key) => key.id);
  if (others.length > 0) {
    say(
      `All rows are sealed with key "${id}". Once every process of the bot was restarted since its`,
    );
    say(`promotion, the others may go: npm run keys -- retire ${others[0]}`);
  }
}

async function retire({ place, rotation, id = "", isOffline }: Task): Promise<void> {
  const keys = withoutKey(place.keys, id);
  const isHere = keys.length < place.keys.length;
  const isKnown = (await rotation.status()).some((state) => state.id === id);
  if (!isHere && !isKnown) throw unknownKey(place.keys, id);
  if (!isOffline && (await rotation.sealingAtLastStart()) === id) {
    throw new ConfigError(`the bot was started last while key "${id}" was sealing`, {
      code: "key_in_use",
      hint: "Restart every process of the bot, run: npm run keys -- reseal, and then this again. If none is running, add --offline.",
    });
  }
  await rotation.retire(id);
  if (isHere) change(place, keys, `Key "${id}" is taken out.`);
  else say(`Key "${id}" is forgotten.`);
  say("Keep it with backups from before: what they hold may be sealed with it.");
}

/** Rows must not be sealed with a key that a running bot can't open them with. */
async function requireStarted({
  rotation,
  id,
  isOffline,
}: Pick<Task, "rotation" | "isOffline"> & { readonly id: string }): Promise<void> {
  if (isOffline) return;
  const state = (await rotation.status()).find((each) => each.id === id);
  if (state?.canary === "opens") return;
  throw new ConfigError(`no bot has been started with key "${id}" yet`, {
    code: "key_unseen",
    hint: "Restart every process of the bot first, or it could not open what this key seals. If none is running, add --offline.",
  });
}

/** Writes the keys where they stand, or says what to write there. */
function change(place: Place, keys: readonly MasterKey[], done: string): void {
  if (place.write !== undefined) {
    place.write(keys);
    say(`${done} ${place.name} says so now; its other lines are as they were.`);
    return;
  }
  say(
    "SECRET_KEYS stands in the environment, where it must be changed by hand. Its new value, which is secret:",
  );
  say(`\n${writeKeys(keys)}\n`);
}

function rowsOf({ rows }: KeyState): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function counted(count: number): string {
  return count === 1 ? "1 row was" : `${count} rows were`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
