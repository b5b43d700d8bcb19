import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { maxMs } from "../images/campaign.ts";
import { seed } from "../support/random.ts";
import type { CampaignReport } from "./bytes-campaign.ts";

export const rows: BenchRows = { bytes };

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const mutationsOfEach = 5_000;
const goals = { ms: maxMs, workerMiB: 1_024, ownMiB: 300 } as const;

/**
 * 5,000 damaged files of each kind, and those made to do harm: each has to be refused or served in time, in little
 * memory.
 */
async function bytes(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "bytes-"));
  try {
    await run(process.execPath, [script("bytes-files.ts"), folder]);
    const { stdout } = await run(
      process.execPath,
      [script("bytes-campaign.ts"), folder, String(seed), String(mutationsOfEach)],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    return toRows(JSON.parse(stdout) as CampaignReport);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function toRows(report: CampaignReport): readonly BenchRow[] {
  for (const { kind, name, reason } of report.wrong) console.error(`${kind}: ${name}: ${reason}`);
  const kinds = Object.entries(report.counts).map(([kind, answers]) => {
    const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
    const value = report.wrong.filter((row) => row.kind === kind).length;
    console.error(`${kind}: ${JSON.stringify(answers)}`);
    return row(`bytes.${kind}`, value, `wrong of ${total}`, 0);
  });
  return [
    ...kinds,
    row("bytes.exits", report.exits, "exits", 0),
    row("bytes.slowest", report.slowestMs, "ms", goals.ms),
    row("bytes.worker", report.workerPeakMiB, "MiB", goals.workerMiB),
    row("bytes.parent", report.ownPeakMiB, "MiB", goals.ownMiB),
  ];
}

function row(name: string, value: number, unit: string, goal: number): BenchRow {
  return { name, value, unit, goal, ok: value <= goal, seed };
}
