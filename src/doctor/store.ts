import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../config.ts";
import { openDatabase, sqlitePathOf } from "../database/index.ts";
import { BotError, ConfigError } from "../errors.ts";
import { inspectJobs, type ParkedJob, type QueueCounts } from "../jobs/index.ts";
import { inspectStore, type KeyState, totalOf } from "../store/index.ts";
import { sharedMode } from "./configuration.ts";
import {
  type Finding,
  okFinding,
  skippedFinding,
  warningFinding,
  wrongFinding,
} from "./finding.ts";

const check = "store";
const jobCheck = "jobs";
const keys = "master keys";
const diskAdvice = "Check the disk or the server that it is on.";
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
    return [
      skippedFinding(check, "the sandbox makes its own"),
      skippedFinding(keys, "the sandbox makes its own"),
    ];
  }
  const path = sqlitePathOf(url);
  const place = path === undefined ? [] : await placeOf(path);
  const isBarred = place.some(({ state }) => state === "wrong");
  if (isBarred || (path !== undefined && (path === ":memory:" || !existsSync(path)))) {
    return [...place, skippedFinding(keys, "nothing is stored yet")];
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
      warningFinding(
        check,
        what,
        "Change it in the server's configuration; docs/operating.md says how.",
      ),
    );
    const opened =
      pinged.state === "found"
        ? okFinding(check, "a row was written, read and removed")
        : wrongFinding(check, "a row that was written did not come back", diskAdvice);
    return [opened, ...doubts, ...keyFindings(states)];
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    const advice = error instanceof ConfigError ? error.hint : diskAdvice;
    return [
      wrongFinding(check, error.message, advice),
      skippedFinding(keys, "the store can't be read"),
    ];
  }
}

function keyFindings(states: readonly KeyState[]): readonly Finding[] {
  const findings = states.flatMap(findingOf);
  const sealing = states.find(({ isSealing }) => isSealing);
  if (findings.some(({ state }) => state === "wrong")) return findings;
  const sum = states.reduce((total, state) => total + totalOf(state.rows), 0);
  return [okFinding(keys, `"${sealing?.id}" seals; ${rows(sum)} can be opened`), ...findings];
}

function findingOf(state: KeyState): readonly Finding[] {
  const { id, canary, isSealing } = state;
  const count = totalOf(state.rows);
  if (canary === "unknown" && count > 0) {
    const found = `"${id}" is missing, and ${rows(count)} can't be opened without it`;
    const advice = `Put the key with the id ${id} back into SECRET_KEYS; without it the bot does not start.`;
    return [wrongFinding(keys, found, advice)];
  }
  if (canary === "another") {
    const found = `"${id}" is another key than the one that sealed ${rows(count)}`;
    const advice = `Put the earlier key back under the id ${id}, and give the new one an id of its own.`;
    return [wrongFinding(keys, found, advice)];
  }
  if (isSealing || count === 0) return [];
  const found = `${rows(count)} ${count === 1 ? "is" : "are"} still sealed by "${id}"`;
  return [
    warningFinding(keys, found, "Run: npm run keys -- reseal, before that key is taken out."),
  ];
}

function rows(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}

/** Checks the file, its folder and its disk. */
async function placeOf(path: string): Promise<readonly Finding[]> {
  if (path === ":memory:") {
    const advice = "Set STORE_URL to sqlite: and the path of a file.";
    return [wrongFinding(check, "it is kept in memory only", advice)];
  }
  const folder = existingFolder(path);
  const barred = [...(existsSync(path) ? [path] : []), folder].find((each) => !mayWrite(each));
  if (barred !== undefined) {
    const advice = `Give it to the user that runs the bot: chown -R USER ${folder}`;
    return [wrongFinding(check, `this user may not write ${barred}`, advice)];
  }
  const begun = existsSync(path) ? [] : [okFinding(check, "made at the first start")];
  return [...begun, ...modeOf(path), ...(await diskOf(folder))];
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

function modeOf(path: string): readonly Finding[] {
  const mode = existsSync(path) ? sharedMode(path) : undefined;
  if (mode === undefined) return [];
  const advice =
    "The bot takes that right away when it opens the file; find out what gives it, such as a restore.";
  return [
    warningFinding(check, `others on this machine could read ${path} (mode ${mode})`, advice),
  ];
}

async function diskOf(folder: string): Promise<readonly Finding[]> {
  const { bavail, bsize, type } = await statfs(folder);
  const free = bavail * bsize;
  const left = `${Math.floor(free / megabyte)} MB are free where it is`;
  const advice = "Make room: a full disk stops everything that is to be kept.";
  const findings: Finding[] = [];
  if (networkDisks.has(type)) {
    const move =
      "Move it to a disk of this machine, or use PostgreSQL: SQLite's locks are not safe there.";
    findings.push(warningFinding(check, "it lies on a network disk", move));
  }
  if (free < enough.wrongBelow) findings.push(wrongFinding(check, left, advice));
  else if (free < enough.warnBelow) findings.push(warningFinding(check, left, advice));
  return findings;
}

/** Checks for jobs that failed for good, by queue and by the failure's code. */
export async function checkJobs({ store: { url }, mode }: Config): Promise<readonly Finding[]> {
  if (mode === "sandbox") return [skippedFinding(jobCheck, "the sandbox makes its own")];
  const path = sqlitePathOf(url);
  if (path !== undefined && !existsSync(path))
    return [skippedFinding(jobCheck, "nothing is stored yet")];
  try {
    const { counts, parked } = await readJobs(url);
    return findingsOfJobs(counts, parked);
  } catch (error) {
    if (!(error instanceof BotError)) throw error;
    return [skippedFinding(jobCheck, "the store can't be read")];
  }
}

async function readJobs(url: string) {
  const database = await openDatabase({ url });
  try {
    const all = inspectJobs(database);
    return { counts: await all.counts(), parked: await all.parked() };
  } finally {
    await database.close();
  }
}

function findingsOfJobs(
  counts: readonly QueueCounts[],
  parked: readonly ParkedJob[],
): readonly Finding[] {
  const waiting = counts.reduce((sum, each) => sum + each.waiting + each.running, 0);
  if (parked.length === 0)
    return [okFinding(jobCheck, `${formatJobs(waiting)} to do; none failed for good`)];
  const kinds = Map.groupBy(parked, ({ queue, failure }) => `${queue} (${failure})`);
  return [...kinds].map(([kind, some]) =>
    warningFinding(
      jobCheck,
      `${formatJobs(some.length)} of ${kind} failed for good`,
      `Find the cause in the log ("a job failed for good"), mend it, and run: npm run jobs -- retry ${some[0]?.queue}`,
    ),
  );
}

function formatJobs(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}
