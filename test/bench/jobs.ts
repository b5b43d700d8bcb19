import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import type { BenchRow, BenchRows } from "./row.ts";

/**
 * `idle`: jobs wait for an hour; `busy`: jobs are done again and again, 100 a second; `floor`: jobs are never started.
 */
export type Way = "idle" | "busy" | "floor";

/** What a process with jobs used. */
export interface JobsFigures {
  readonly cpuPercent: number;
  readonly rssMiB: number;
  readonly begun: number;
  readonly lateMs: number;
}

type Measured = (run: (jobs: number, way: Way) => Promise<JobsFigures>) => Promise<Figure>;
type Figure = Omit<BenchRow, "name" | "ok"> & { readonly isSerious?: boolean };

const watches = 5_000;
const timers = 1_000;

/** Each on every kind of database that this machine has: `jobs.idle.sqlite`. */
export const rows: BenchRows = {
  ...onAll("jobs.idle", async (run) => {
    const floor = (await run(watches, "floor")).cpuPercent;
    const { cpuPercent } = await run(watches, "idle");
    return { value: cpuPercent, unit: "% of a core", floor, goal: 1 };
  }),
  ...onAll("jobs.latency", async (run) => {
    const { lateMs, begun } = await run(1_000, "busy");
    return {
      value: lateMs,
      unit: "ms",
      floor: await timersAlone(),
      goal: 1_000,
      isSerious: begun > 900,
    };
  }),
  ...onAll("jobs.memory", async (run) => {
    const none = (await run(0, "busy")).rssMiB;
    const { rssMiB, begun } = await run(watches, "busy");
    return { value: rssMiB - none, unit: "MiB", floor: 0, goal: 50, isSerious: begun > 900 };
  }),
};

function onAll(prefix: string, measure: Measured): BenchRows {
  return Object.fromEntries(
    kinds.flatMap(({ name, make }) => {
      const row = `${prefix}.${name === "SQLite" ? "sqlite" : "postgres"}`;
      return make === undefined ? [] : [[row, () => measured(row, make(), measure)]];
    }),
  );
}

async function measured(name: string, kind: Kind, measure: Measured): Promise<readonly BenchRow[]> {
  try {
    const { isSerious = true, ...row } = await measure(async (jobs, way) => {
      const { url } = await kind.fresh();
      return inProcess(url, jobs, way);
    });
    const { value, goal } = row;
    return [{ name, ...row, ok: isSerious && value !== null && goal !== null && value <= goal }];
  } finally {
    await kind.stop();
  }
}

const program = fileURLToPath(new URL("jobs-process.ts", import.meta.url));

/** With the memory setting of `npm start`. */
async function inProcess(url: string, jobs: number, way: Way): Promise<JobsFigures> {
  const args = ["--max-semi-space-size=4", "--expose-gc", program, url, String(jobs), way];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as JobsFigures;
}

/** How late this machine's own timers are, at 100 a second. */
async function timersAlone(): Promise<number> {
  const late: number[] = [];
  const first = performance.now() + 100;
  const all = Array.from({ length: timers }, (_, n) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const at = first + n * 10;
    const begin = () => {
      late.push(performance.now() - at);
      resolve();
    };
    setTimeout(begin, at - performance.now());
    return promise;
  });
  await Promise.all(all);
  return p99(late);
}

export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
