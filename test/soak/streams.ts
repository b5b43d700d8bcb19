import { type LivesResult, liveStreams } from "../announcements/streams/lives.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import { seed } from "../support/random.ts";

const streams = 500;
const withinMs = 4 * 24 * 3_600_000;

/** A row for each kind of database on this machine, such as `streams.sqlite`, and one for the units. */
export const rows: BenchRows = {
  ...Object.fromEntries(
    kinds.flatMap(({ name, make }) => {
      const row = `streams.${name === "PostgreSQL" ? "postgres" : "sqlite"}`;
      return make === undefined ? [] : [[row, () => campaign(row, make())]];
    }),
  ),
  "streams.units": calm,
};

/**
 * Counts what is wrong after 500 streams of all kinds have lived through their lives, while two processes are killed at any
 * step, a share of all calls fails, and the clock jumps: stages that were missed or told twice, and messages and events that do
 * not say what is true in the end.
 */
async function campaign(name: string, kind: Kind): Promise<readonly BenchRow[]> {
  try {
    const { url } = await kind.fresh();
    const lived = await liveStreams({ url, seed, streams, withinMs });
    for (const fault of lived.faults) console.error(`${name}: ${fault}`);
    const value = lived.faults.length;
    const ok = value === 0 && lived.struck > 50;
    return [{ name, value, unit: "faults", goal: 0, ok, seed }, unitsRow(`${name}.units`, lived)];
  } finally {
    await kind.stop();
  }
}

/** The same streams, but without faults and gaps. */
async function calm(): Promise<readonly BenchRow[]> {
  return [unitsRow("streams.units", await liveStreams({ seed, streams, withinMs, isCalm: true }))];
}

/** How far the units that were spent are from those that the schedule promises, in hundredths of it. */
function unitsRow(name: string, { looks, planned, faults }: LivesResult): BenchRow {
  const value = Math.round((Math.abs(looks - planned) / planned) * 1_000) / 10;
  return { name, value, unit: "%", goal: 5, ok: value <= 5 && faults.length === 0, seed };
}
