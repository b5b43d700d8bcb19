import { faultRows } from "../bench/faults.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = { faults };

const seeds = 4;
const calls = 25_000;

/** The bench's calls several times, each time with a fresh stand-in and another seed. */
async function faults(): Promise<readonly BenchRow[]> {
  const found: BenchRow[] = [];
  for (let n = 0; n < seeds; n += 1) {
    found.push(...(await faultRows("faults", { calls, seed: seed + n })));
  }
  return found;
}
