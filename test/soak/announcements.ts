import { killProcesses } from "../announcements/kills.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import { seed } from "../support/random.ts";

const campaigns = 10;
const kills = 100;

/** One row for each kind of database on this machine, such as `announcements.sqlite`. */
export const rows: BenchRows = Object.fromEntries(
  kinds.flatMap(({ name, make }) => {
    const row = `announcements.${name === "PostgreSQL" ? "postgres" : "sqlite"}`;
    return make === undefined ? [] : [[row, () => campaign(row, make())]];
  }),
);

/**
 * Counts announcements that were lost or duplicated in 1,000 kills of two processes, while a share of all calls fails.
 */
async function campaign(name: string, kind: Kind): Promise<readonly BenchRow[]> {
  let value = 0;
  let struck = 0;
  try {
    for (let n = 0; n < campaigns; n += 1) {
      const { url } = await kind.fresh();
      const done = await killProcesses({ url, seed: seed + n, kills });
      value += differences(done.published, done.announced);
      struck += done.struck;
    }
  } finally {
    await kind.stop();
  }
  const isSerious = struck > (campaigns * kills) / 3;
  return [{ name, value, unit: "announcements", goal: 0, ok: value === 0 && isSerious, seed }];
}

/** How many releases were not announced exactly once. */
function differences(published: readonly string[], announced: readonly string[]): number {
  const times = (id: string) => announced.filter((one) => one === id).length;
  const ids = new Set([...published, ...announced]);
  return [...ids].filter((id) => times(id) !== 1).length;
}
