import type { BenchRow, BenchRows } from "../bench/row.ts";
import { isolate } from "../support/isolation/campaign.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { isolation };

const rounds = 10;
const actions = 10_000;

/**
 * 100,000 actions of ten people in three servers: counts data of one server in another's answers, and bugs on the way.
 */
async function isolation(): Promise<readonly BenchRow[]> {
  let foreign = 0;
  let bugs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const report = await isolate({ actions, seed: seed + round });
    console.error(`isolation: ${round + 1} of ${rounds} rounds, ${report.foreign.length} foreign`);
    for (const each of report.foreign) console.error(each);
    foreign += report.foreign.length;
    bugs += report.endings.bug ?? 0;
  }
  const unit = `of ${rounds * actions} actions`;
  return [
    { name: "isolation", value: foreign, unit, goal: 0, ok: foreign === 0, seed },
    { name: "isolation.bugs", value: bugs, unit, goal: 0, ok: bugs === 0, seed },
  ];
}
