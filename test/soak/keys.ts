import type { BenchRow, BenchRows } from "../bench/row.ts";
import { killDuringReseal } from "../store/rotation/reseal-kills.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import { seed } from "../support/random.ts";

const kills = 50;
/** How many writes each round's writer has acknowledged before anything is killed. */
const leastEach = 20;

/** Kills re-encryption between two rows while a bot goes on writing, on each kind of database that this machine has. */
export const rows: BenchRows = Object.fromEntries(
  kinds.flatMap(({ name, make }) => {
    const row = `keys.${name.toLowerCase()}`;
    return make === undefined ? [] : [[row, () => keysOn(row, make)]];
  }),
);

async function keysOn(name: string, make: () => Kind): Promise<readonly BenchRow[]> {
  const kind = make();
  try {
    const { url } = await kind.fresh();
    const { lost, left, acknowledged, halfway } = await killDuringReseal({ url, kills, seed });
    for (const each of lost.slice(0, 20)) console.error(`${name}: ${each}`);
    return [
      none(`${name}.lost`, lost.length),
      none(`${name}.left`, left),
      atLeast(`${name}.halfway`, halfway, { unit: "kills", goal: kills / 2 }),
      atLeast(`${name}.acknowledged`, acknowledged, { unit: "rows", goal: kills * leastEach }),
    ];
  } finally {
    await kind.stop();
  }
}

function none(name: string, value: number): BenchRow {
  return { name, value, unit: "rows", goal: 0, ok: value === 0, seed };
}

function atLeast(
  name: string,
  value: number,
  of: { readonly unit: string; readonly goal: number },
): BenchRow {
  return { name, value, ...of, ok: value >= of.goal, seed };
}
