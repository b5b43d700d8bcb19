import type { BenchRow, BenchRows } from "../bench/row.ts";
import { killDoers } from "../jobs/campaign.ts";
import { kinds } from "../support/databases/each-kind.ts";
import { seed } from "../support/random.ts";

const kills = 200;
const chains = 1_000;
const stepsOfChain = 10;

/**
 * Effects that were lost, jobs that two processes did at once, and jobs left over, after 200 kills of processes that do
 * jobs.
 */
export const rows: BenchRows = Object.fromEntries(
  kinds.flatMap(({ name, make }) => {
    if (make === undefined) return [];
    const row = `jobs.kills.${name === "SQLite" ? "sqlite" : "postgres"}`;
    return [[row, () => campaign(row, make)]];
  }),
);

async function campaign(
  name: string,
  make: NonNullable<(typeof kinds)[number]["make"]>,
): Promise<readonly BenchRow[]> {
  const kind = make();
  try {
    const { url } = await kind.fresh();
    const { effects, lost, overlaps, left } = await killDoers(url, { kills, chains, seed });
    const value = lost.length + overlaps.length + left;
    const ok = value === 0 && effects === chains * stepsOfChain;
    return [{ name, value, unit: "jobs", goal: 0, ok, seed }];
  } finally {
    await kind.stop();
  }
}
