import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { kinds } from "../support/databases/each-kind.ts";
import type { Kind } from "../support/databases/kinds.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { type Service, startService } from "./service.ts";

/** What a process used that followed videos for twenty minutes of its own clock. */
export interface FollowFigures {
  readonly cpuPercent: number;
  /** The most that it had above what it had before. */
  readonly memoryMiB: number;
  /** How often it read a server's videos. */
  readonly runs: number;
}

/**
 * Share of a core and memory that 10,000 followed videos of 400 servers take while a tenth of them is live.
 * The floor makes the same requests and writes the same rows.
 */
export const rows: BenchRows = { follow };

const videos = 10_000;
const mostPercent = 2;
const mostMiB = 40;
const hourMs = 3_600_000;

async function follow(): Promise<readonly BenchRow[]> {
  const begin = Date.UTC(2026, 10, 21, 12);
  const times = [begin - hourMs, begin + 25 * hourMs].map(String);
  const service = await startService("follow-service", ...times);
  const found: BenchRow[] = [];
  try {
    for (const { name, make } of kinds) {
      const row = `follow.${name === "SQLite" ? "sqlite" : "postgres"}`;
      if (make !== undefined) found.push(...(await measured(row, make(), { service, begin })));
    }
  } finally {
    await service.stop();
  }
  return found;
}

async function measured(
  name: string,
  kind: Kind,
  { service, begin }: { readonly service: Service; readonly begin: number },
): Promise<readonly BenchRow[]> {
  async function run(way: "bot" | "floor"): Promise<FollowFigures> {
    const { url } = await kind.fresh();
    const program = fileURLToPath(new URL("follow-process.ts", import.meta.url));
    const args = ["--max-semi-space-size=4", "--expose-gc", program, url, service.url];
    const all = [...args, String(begin), String(videos), way];
    const { stdout } = await promisify(execFile)(process.execPath, all);
    return JSON.parse(stdout) as FollowFigures;
  }
  try {
    const floor = await run("floor");
    const { cpuPercent, memoryMiB, runs } = await run("bot");
    const isSerious = runs > videos / 25;
    const rowFor = (part: string, value: number, unit: string, goal: number): BenchRow => {
      return { name: `${name}.${part}`, value, unit, goal, ok: isSerious && value <= goal };
    };
    return [
      { ...rowFor("cpu", cpuPercent, "% of a core", mostPercent), floor: floor.cpuPercent },
      { ...rowFor("memory", memoryMiB, "MiB", mostMiB), floor: floor.memoryMiB },
    ];
  } finally {
    await kind.stop();
  }
}
