import { p99 } from "../bench/jobs.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import type { Transport } from "../support/processes/bot-processes.ts";
import type { CampaignOptions } from "../support/processes/campaign-stage.ts";
import {
  killProcesses,
  pauseProcesses,
  replaceProcesses,
  takeDatabaseAway,
} from "../support/processes/campaigns.ts";
import { overloadProcesses } from "../support/processes/overload.ts";
import { seed } from "../support/random.ts";
import { countRow, faultsIn, shareOf, timeRow, unheard } from "./verdict-rows.ts";

/** Several processes of the bot with one PostgreSQL, under load, while processes and databases come and go. */
export const rows: BenchRows =
  findPostgres() === undefined
    ? {}
    : {
        "rolling.http": () => rolling("http"),
        "rolling.gateway": () => rolling("gateway"),
        "killed.http": () => killed("http"),
        "killed.gateway": () => killed("gateway"),
        "paused.http": () => paused("http"),
        "paused.gateway": () => paused("gateway"),
        overload,
        "postgres.away": away,
      };

const { env } = process;
/** Commands a second. RATE lowers it where the processes, the database and the stand-ins share less than two cores. */
const perSecond = Number(env.RATE ?? 50);
/** Smaller numbers make a trial run, whose figures do not count. */
const replacements = Number(env.REPLACEMENTS ?? 20);
const kills = Number(env.KILLS ?? 100);
const pauses = Number(env.PAUSES ?? 10);
/** How long the overload lasts, and each time that the database is away. */
const overloadSeconds = Number(env.SECONDS ?? 60);
const awaySeconds = Number(env.SECONDS ?? 30);
/**
 * Commands a second of the overload. Without it, the campaign measures what the machine can do and sends three times
 * that.
 */
const overloadRate = env.RATE_OVER === undefined ? undefined : Number(env.RATE_OVER);
/** Supervisors wait ten seconds after SIGTERM. */
const told = { waitMs: 60_000, jobsMs: 20_000, wellMs: 30_000, stopMs: 10_000 } as const;
const pauseMs = 20_000;
const mostRestarting = 1;
/** Goals during the overload. */
const full = { refusedMs: 3_000, acceptedMs: 15_000, wellMs: 10_000, memoryMiB: 600 } as const;

/**
 * Counts commands that were not acknowledged, done twice, lost or never answered in 20 replacements, and old processes
 * that did not end.
 */
async function rolling(transport: Transport): Promise<readonly BenchRow[]> {
  const name = `rolling.${transport}`;
  const options = optionsOf(name, { transport, perSecond });
  const result = await replaceProcesses({ ...options, replacements });
  const stuck = result.exitCodes.filter((code) => code !== 0).map((code) => `exit code ${code}`);
  // Nobody may be refused during a replacement, except at the moment when the last process stops.
  const faults = [...faultsIn(result, /^(?!.*restarting)/u), ...unheard(result), ...stuck];
  const value = shareOf(result, /restarting/u);
  const restarting = { value, unit: "%", goal: mostRestarting, ok: value <= mostRestarting, seed };
  return [
    countRow(name, result, faults),
    { name: `${name}.restarting`, ...restarting },
    timeRow(`${name}.stop`, result.stopMs, told.stopMs),
  ];
}

/**
 * The same in 100 kills of one of three processes. Commands that were not acknowledged do not count: Discord itself
 * tells people about them, and they were not begun.
 */
async function killed(transport: Transport): Promise<readonly BenchRow[]> {
  const name = `killed.${transport}`;
  const result = await killProcesses({ ...optionsOf(name, { transport, perSecond }), kills });
  return [
    countRow(name, result, faultsIn(result, /something went wrong/iu)),
    timeRow(`${name}.told`, result.answerMs, told.waitMs),
    timeRow(`${name}.jobs`, result.jobsMs, told.jobsMs),
  ];
}

/** The same while one of three processes is paused ten times, for longer than the others believe it to be alive. */
async function paused(transport: Transport): Promise<readonly BenchRow[]> {
  const name = `paused.${transport}`;
  const options = optionsOf(name, { transport, perSecond: Math.min(perSecond, pausedPerSecond) });
  const result = await pauseProcesses({ ...options, pauses, pauseMs });
  const exits = Array.from({ length: result.exits }, () => "a process ended");
  const faults = faultsIn(result, /something went wrong|storage is unavailable/iu);
  return [
    countRow(name, result, [...faults, ...exits]),
    timeRow(`${name}.told`, result.answerMs, told.waitMs),
  ];
}

const pausedPerSecond = 25;

/**
 * The same at three times what the machine can do, for a minute: what is refused must be refused at once, and the rest
 * be done.
 */
async function overload(): Promise<readonly BenchRow[]> {
  const name = "overload";
  const result = await overloadProcesses({
    ...optionsOf(name, { transport: "gateway", perSecond: 10 }),
    overloadPerSecond: overloadRate,
    overloadMs: overloadSeconds * 1_000,
  });
  const { dead, refusedMs, acceptedMs, wellMs, peakMiB, sentPerSecond } = result;
  const [refused, accepted] = [p99(refusedMs), p99(acceptedMs)];
  const unit = `processes taken for dead at ${sentPerSecond.toFixed(0)} a second`;
  const memory = { value: peakMiB, unit: "MiB", goal: full.memoryMiB };
  console.error(`${name}: ${acceptedMs.length} accepted, ${refusedMs.length} refused`);
  return [
    countRow(name, result, faultsIn(result, /something went wrong/iu)),
    { name: `${name}.dead`, value: dead, unit, goal: 0, ok: dead === 0, seed },
    timeRow(`${name}.refused`, refused, full.refusedMs),
    timeRow(`${name}.accepted`, accepted, full.acceptedMs),
    timeRow(`${name}.well`, wellMs, full.wellMs),
    { name: `${name}.memory`, ...memory, ok: peakMiB <= full.memoryMiB, seed },
  ];
}

/**
 * The same while the database hangs, is stopped, starts again, and is replaced by a standby that at first refuses
 * writes.
 */
async function away(): Promise<readonly BenchRow[]> {
  const name = "postgres.away";
  const options = optionsOf(name, { transport: "http", perSecond: 10 });
  const result = await takeDatabaseAway({ ...options, awayMs: awaySeconds * 1_000 });
  const faults = [...faultsIn(result), ...unheard(result), ...result.repeated];
  return [countRow(name, result, faults), timeRow(`${name}.well`, result.wellMs, told.wellMs)];
}

function optionsOf(
  name: string,
  { transport, perSecond }: Pick<CampaignOptions, "transport" | "perSecond">,
): CampaignOptions {
  return { transport, perSecond, seed, onProgress: (line) => console.error(`${name}: ${line}`) };
}
