import type { BenchRow, BenchRows } from "../bench/row.ts";
import { killProcesses } from "../moderation/campaign/kill-processes.ts";
import { measureLatency } from "../moderation/campaign/measure-latency.ts";
import { runCampaign } from "../moderation/campaign/run-campaign.ts";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import { seed } from "../support/random.ts";

export const rows: BenchRows = {
  ...Object.fromEntries(
    kinds.map(({ name, make }) => {
      const row = name === "SQLite" ? "moderation.kills" : "moderation.kills.postgres";
      return [row, () => kills(row, make)];
    }),
  ),
  "moderation.seeds": seeds,
  "moderation.latency": latency,
};

/**
 * Held comments that were lost or shown twice, and decisions that do not agree with their records, after 300 processes
 * were killed with SIGKILL over 2,000 comments, while 5 % of all requests fail. The campaign's clock runs twenty times
 * as fast as the machine's.
 */
async function kills(name: string, make: (() => Kind) | undefined): Promise<readonly BenchRow[]> {
  if (make === undefined) {
    const skipped = "PostgreSQL is not installed";
    return [{ name, value: null, unit: "comments", goal: 0, ok: true, seed, skipped }];
  }
  const kind = make();
  try {
    // For SQLite, the campaign makes a file in memory, so that no write waits for a disk.
    const databaseUrl = kind.dialect === "postgres" ? (await kind.fresh()).url : undefined;
    const onProgress = (line: string) => console.error(`${name}: ${line}`);
    const options = { comments: 2_000, kills: 300, faults: 0.05, seed, databaseUrl, onProgress };
    const { lost, twice, wrong, decisions } = await killProcesses(options);
    const value = lost.length + twice.length + wrong.length;
    const ok = value === 0 && decisions > options.comments / 4;
    return [{ name, value, unit: "comments", goal: 0, ok, seed }];
  } finally {
    await kind.stop();
  }
}

const campaigns = 10;

/** The tests' campaign with other seeds: here processes die between two chosen steps, which a signal can't do. */
async function seeds(): Promise<readonly BenchRow[]> {
  let value = 0;
  for (let n = 1; n <= campaigns; n += 1) {
    const options = { comments: 2_000, kills: 300, faults: 0.05, decided: 0.5, seed: seed + n };
    const watch = () => ({ digestFrom: 12 });
    const { lost, twice, wrong } = await runCampaign({ ...options, watch });
    value += lost.length + twice.length + wrong.length;
  }
  return [{ name: "moderation.seeds", value, unit: "comments", goal: 0, ok: value === 0, seed }];
}

const paceMs = 60_000;

/** How often comments come, on average, and how many paces may pass until the last one has its card. */
const visitors = {
  busy: { gapMs: 20_000, paces: 1.1 },
  steady: { gapMs: 120_000, paces: 1.1 },
  // A watch without new comments is polled less often.
  seldom: { gapMs: 1_200_000, paces: 6.3 },
} as const;

/**
 * Seconds from a comment's appearance at YouTube to its card, at a pace of 60 s. Time jumps from one timer to the next
 * (`measure-latency.ts`), so that even the hours between rare comments can be measured.
 */
async function latency(): Promise<readonly BenchRow[]> {
  const found: BenchRow[] = [];
  for (const [name, { gapMs, paces }] of Object.entries(visitors)) {
    const { median, worst } = await measureLatency({ comments: 120, gapMs, paceMs, seed });
    found.push(rowOf(`${name}.median`, median, 1), rowOf(`${name}.worst`, worst, paces));
  }
  return found;
}

function rowOf(name: string, value: number, paces: number): BenchRow {
  const goal = (paces * paceMs) / 1_000;
  return { name: `moderation.latency.${name}`, value, unit: "s", goal, ok: value <= goal, seed };
}
