import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import type { FairnessReport } from "./pictures-fairness.ts";
import type { MemoryReport } from "./pictures-memory.ts";

export const rows: BenchRows = { "fairness.pictures": fairness, memory };

const run = promisify(execFile);

async function reported<T>(file: string): Promise<T> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await run(process.execPath, [script], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as T;
}

/**
 * A person waits for the picture being worked on, and for one of each person who asked earlier; a picture takes some
 * seconds.
 */
const waitGoalSeconds = 10;

/** One server requests 200 free pictures at once: how long others wait. */
async function fairness(): Promise<readonly BenchRow[]> {
  const { alone, server, person } = await reported<FairnessReport>("./pictures-fairness.ts");
  const row = (name: string, value: number): BenchRow => ({
    name,
    value,
    unit: "s",
    floor: alone,
    goal: waitGoalSeconds,
    ok: value <= waitGoalSeconds,
  });
  return [row("fairness.pictures.server", server), row("fairness.pictures.person", person)];
}

const grownGoalMb = 600;

/** One member requests 60 pictures of 24 MB at once, and another person a small one meanwhile. */
async function memory(): Promise<readonly BenchRow[]> {
  const { grownMb, waitSeconds } = await reported<MemoryReport>("./pictures-memory.ts");
  return [
    {
      name: "memory.bot",
      value: grownMb,
      unit: "MB",
      goal: grownGoalMb,
      ok: grownMb <= grownGoalMb,
    },
    {
      name: "memory.wait",
      value: waitSeconds,
      unit: "s",
      goal: waitGoalSeconds,
      ok: waitSeconds <= waitGoalSeconds,
    },
  ];
}
