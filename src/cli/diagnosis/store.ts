import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { openDatabase, parseSqlitePath } from "../../database/index.ts";
import { BotError, ConfigError } from "../../errors.ts";
import { inspectJobs, type ParkedJob, type QueueCounts } from "../../jobs/index.ts";
import { inspectStore, type KeyState, sumRows } from "../../store/index.ts";
import { sharedMode } from "./configuration.ts";
import { type Finding, findingsAbout, formatCount } from "./finding.ts";

const file = findingsAbout("store");
const jobs = findingsAbout("jobs");
const keys = findingsAbout("master keys");
const diskAdvice = "Check its disk or its database server.";
const megabyte = 1024 * 1024;
const enough = { warnBelow: 500 * megabyte, wrongBelow: 50 * megabyte } as const;
/** https://man7.org/linux/man-pages/man2/statfs.2.html: NFS, SMB, CIFS, SMB2. */
const networkDisks: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Opens the store as the bot does, writes and reads a row, and checks whether the master keys fit. */
export async function checkStore({
  store: { url, keys: masterKeys },
  mode,
}: Config): Promise<Finding[]> {
  if (mode === "sandbox") {
    return [file.skipped("the sandbox makes its own"), keys.skipped("the sandbox makes its own")];
  }
  const path = parseSqlitePath(url);
  const place = path === undefined ? [] : await checkPlace(path);
  const isBarred = place.some(({ state }) => state === "wrong");
  if (isBarred || (path !== undefined && (path === ":memory:" || !existsSync(path)))) {
    return [...place, keys.skipped("nothing is stored yet")];
  }
  return [...place, ...(await inspect(url, masterKeys))];
}

async function inspect(
  url: string,
  masterKeys: Config["store"]["keys"],
): Promise<readonly Finding[]> {
  try {
    const { pinged, keys: states, warnings } = await inspectStore({ url, keys: masterKeys });
    const doubts = warnings.map((what) =>
      file.warning(
        what,
        "Change it in the database server's configuration; docs/operating.md says how.",
      ),
    );
    const opened =
      pinged.state === "found"
        ? file.ok("a row was written, read and deleted")
        : file.wrong("a row was written and could not be read", diskAdvice);
    return [opened, ...doubts, ...keyFindings(states)];
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    const advice = error instanceof ConfigError ? error.hint : diskAdvice;
    return [file.wrong(error.message, advice), keys.skipped("the store cannot be read")];
  }
}

function keyFindings(states: readonly KeyState[]): readonly Finding[] {
  const findings = states.flatMap(describeKey);
  const sealing = states.find(({ isSealing }) => isSealing);
  if (findings.some(({ state }) => state === "wrong")) return findings;
  const sum = states.reduce((total, state) => total + sumRows(state.rows), 0);
  return [
    keys.ok(`"${sealing?.id}" encrypts new rows; ${formatCount(sum, "row")} can be decrypted`),
    ...findings,
  ];
}

function describeKey(state: KeyState): readonly Finding[] {
  const { id, canary, isSealing } = state;
  const count = sumRows(state.rows);
  const rows = formatCount(count, "row");
  if (canary === "unknown" && count > 0) {
    const found = `"${id}" is missing, and ${rows} cannot be decrypted without it`;
    const advice = `Add the key with the id ${id} to SECRET_KEYS again. The bot does not start without it.`;
    return [keys.wrong(found, advice)];
  }
  if (canary === "another") {
    const found = `"${id}" is not the key that encrypted ${rows}`;
    const advice = `Restore the earlier key under the id ${id}, and give the new key another id.`;
    return [keys.wrong(found, advice)];
  }
  if (isSealing || count === 0) return [];
  const found = `${rows} ${count === 1 ? "is" : "are"} still encrypted with "${id}"`;
  return [keys.warning(found, "Run: npm run keys -- reseal, before you remove that key.")];
}

async function checkPlace(path: string): Promise<readonly Finding[]> {
  if (path === ":memory:") {
    const advice = "Set STORE_URL to sqlite: and the path of a file.";
    return [file.wrong("it is only kept in memory", advice)];
  }
  const folder = existingFolder(path);
  const barred = [...(existsSync(path) ? [path] : []), folder].find((each) => !mayWrite(each));
  if (barred !== undefined) {
    const advice = `Make it belong to the user that runs the bot: chown -R USER ${folder}`;
    return [file.wrong(`this user cannot write to ${barred}`, advice)];
  }
  const disk = await checkDisk(folder);
  if (!existsSync(path)) return [file.ok("it is created at the first start"), ...disk];
  const mode = sharedMode(path);
  if (mode === undefined) return disk;
  const advice =
    "The bot removes that permission when it opens the file. Find out what sets it, such as restoring a backup.";
  const found = `others on this machine can read ${path} (mode ${mode})`;
  return [file.warning(found, advice), ...disk];
}

function existingFolder(path: string): string {
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkDisk(folder: string): Promise<readonly Finding[]> {
  const { bavail, bsize, type } = await statfs(folder);
  const free = bavail * bsize;
  const left = `${Math.floor(free / megabyte)} MB free on its disk`;
  const advice = "Free some space: on a full disk nothing can be stored.";
  const findings: Finding[] = [];
  if (networkDisks.has(type)) {
    const move =
      "Move it to a disk of this machine, or use PostgreSQL: SQLite's locks are not safe there.";
    findings.push(file.warning("it is on a network disk", move));
  }
  if (free < enough.wrongBelow) findings.push(file.wrong(left, advice));
  else if (free < enough.warnBelow) findings.push(file.warning(left, advice));
  return findings;
}

/** Checks for jobs that failed for good, by queue and by the failure's code. */
export async function checkJobs({ store: { url }, mode }: Config): Promise<readonly Finding[]> {
  if (mode === "sandbox") return [jobs.skipped("the sandbox makes its own")];
  const path = parseSqlitePath(url);
  if (path !== undefined && !existsSync(path)) return [jobs.skipped("nothing is stored yet")];
  try {
    const database = await openDatabase({ url });
    const { counts, parked } = inspectJobs(database);
    try {
      return describeJobs(await counts(), await parked());
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    return [jobs.skipped("the store cannot be read")];
  }
}

function describeJobs(
  counts: readonly QueueCounts[],
  parked: readonly ParkedJob[],
): readonly Finding[] {
  const waiting = counts.reduce((sum, each) => sum + each.waiting + each.running, 0);
  if (parked.length === 0) {
    return [jobs.ok(`${formatCount(waiting, "job")} waiting; none failed for good`)];
  }
  const kinds = Map.groupBy(parked, ({ queue, failure }) => `${queue} (${failure})`);
  return [...kinds].map(([kind, some]) =>
    jobs.warning(
      `${formatCount(some.length, "job")} of ${kind} failed for good`,
      `Find the cause in the log ("a job failed for good"), fix it, and run: npm run jobs -- retry ${some[0]?.queue}`,
    ),
  );
}
