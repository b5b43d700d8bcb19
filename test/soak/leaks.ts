import type { BenchRow, BenchRows } from "../bench/row.ts";
import { tour } from "../support/leak-tour/tour.ts";

export const rows: BenchRows = { leaks };

const rounds = 20;

/** The tour, each time with fresh secrets: counts those that leaked, or were sent where they do not belong. */
async function leaks(): Promise<readonly BenchRow[]> {
  let found = 0;
  let secrets = 0;
  for (let round = 0; round < rounds; round += 1) {
    const toured = await tour();
    for (const each of [...toured.leaks, ...toured.astray]) console.error(each);
    found += toured.leaks.length + toured.astray.length;
    secrets += toured.secrets;
  }
  return [{ name: "leaks", value: found, unit: `of ${secrets} secrets`, goal: 0, ok: found === 0 }];
}
