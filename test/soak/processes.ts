import type { BenchRow, BenchRows } from "../bench/row.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import type { Transport } from "../support/processes/bot-processes.ts";
import {
  type CampaignOptions,
  killProcesses,
  replaceProcesses,
  takeDatabaseAway,
} from "../support/processes/campaigns.ts";
import type { Verdict } from "../support/processes/verdict.ts";
import { seed } from "../support/random.ts";

/** Several processes of the bot on one PostgreSQL, under load, while processes and databases come and go. */
export const rows: BenchRows =
  findPostgres() === undefined
    ? {}
    : {
        "rolling.http": () => rolling("http"),
        "rolling.gateway": () => rolling("gateway"),
        "killed.http": () => killed("http"),
        "killed.gateway": () => killed("gateway"),
        "postgres.away": away,
      };

/** Commands; RATE lowers it where the processes, the database and the stand-ins have less than two cores to share. */
const perSecond = Number(process.env.RATE ?? 50);
/** A supervisor waits ten seconds after SIGTERM. */
const told = { waitMs: 60_000, jobsMs: 20_000, wellMs: 30_000, stopMs: 10_000 } as const;

/** Commands that were not acknowledged, done twice, lost or never answered over 20 replacements; and old processes that did not end. */
async function rolling(transport: Transport): Promise<readonly BenchRow[]> {
  const name = `rolling.${transport}`;
  const options = optionsOf(name, { transport, perSecond });
  const result = await replaceProcesses({ ...options, replacements: 20 });
  // A replacement is no reason to refuse anybody.
  const refused = [...result.failures].map(([title, count]) => `${count} times: ${title}`);
  const stuck = result.exitCodes.filter((code) => code !== 0).map((code) => `exit code ${code}`);
  const faults = [...faultsIn(result), ...unheard(result), ...stuck, ...refused];
  return [countRow(name, result, faults), timeRow(`${name}.stop`, result.stopMs, told.stopMs)];
}

/**
 * The same over 100 kills of one of three processes. What was not acknowledged, Discord itself says, and it was not begun.
 */
async function killed(transport: Transport): Promise<readonly BenchRow[]> {
  const name = `killed.${transport}`;
  const result = await killProcesses({
    ...optionsOf(name, { transport, perSecond }),
    kills: 100,
  });
  return [
    countRow(name, result, faultsIn(result)),
    timeRow(`${name}.told`, result.answerMs, told.waitMs),
    timeRow(`${name}.jobs`, result.jobsMs, told.jobsMs),
  ];
}

/** The same while the database hangs, is stopped, starts again, and is replaced by a standby that refuses writes at first. */
async function away(): Promise<readonly BenchRow[]> {
  const name = "postgres.away";
  const options = optionsOf(name, { transport: "http", perSecond: 10 });
  const result = await takeDatabaseAway({ ...options, awayMs: 30_000 });
  const faults = [...faultsIn(result), ...unheard(result), ...result.repeated];
  return [countRow(name, result, faults), timeRow(`${name}.well`, result.wellMs, told.wellMs)];
}

function optionsOf(
  name: string,
  { transport, perSecond }: Pick<CampaignOptions, "transport" | "perSecond">,
): CampaignOptions {
  return { transport, perSecond, seed, onProgress: (line) => console.error(`${name}: ${line}`) };
}

function unheard({ unacknowledged, late }: Verdict): readonly string[] {
  return [...unacknowledged, ...late];
}

function faultsIn({ silent, twice, lost }: Verdict): readonly string[] {
  return [...silent, ...twice, ...lost];
}

function countRow(name: string, result: Verdict, faults: readonly string[]): BenchRow {
  for (const fault of faults) console.error(`${name}: ${fault}`);
  console.error(`${name}: ${describeVerdict(result)}`);
  const value = faults.length;
  const { commands, perSecond: rate, held } = result;
  const unit = `of ${commands} commands, ${rate.toFixed(0)} a second, and ${held} held comments`;
  return { name, value, unit, goal: 0, ok: value === 0, seed };
}

function describeVerdict(verdict: Verdict): string {
  const { silent, twice, lost, failures, acknowledgeMs, answerMs } = verdict;
  return [
    `${unheard(verdict).length} not acknowledged, ${silent.length} silent`,
    `${twice.length} twice, ${lost.length} lost`,
    `acknowledged within ${Math.round(acknowledgeMs)} ms, answered within ${Math.round(answerMs)} ms`,
    ...[...failures].map(([title, count]) => `${count} × ${title}`),
  ].join("; ");
}

function timeRow(name: string, ms: number, goalMs: number): BenchRow {
  return { name, value: ms / 1_000, unit: "s", goal: goalMs / 1_000, ok: ms <= goalMs, seed };
}
