import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allocatorSettings } from "../../src/images/worker/child.ts";
import { withInputs } from "./compose-inputs.ts";
import { createPeer } from "./peer.ts";
import type { PrepareCost } from "./prepare-job.ts";
import type { BenchRow, BenchRows } from "./row.ts";

/** Making a camera's picture ready for remove.bg: CPU compared with one decode and encode, and with other ways. */
export const rows: BenchRows = { "prepare.40mp": () => withInputs(["40mp"], costRows) };

const job = fileURLToPath(new URL("./prepare-job.ts", import.meta.url));
const run = promisify(execFile);

/** Seed of the input's noise, in compose-input.ts. */
const seed = 7;
const rounds = 3;
const name = "prepare.40mp";
/** CPU compared with one decode and encode and with a loop of encodes, memory compared with an idle worker. */
const goal = { floor: 1.3, loop: 0.3, encodes: 3, peakMiB: 150 } as const;

type Costs = Readonly<Record<"own" | "floor" | "loop", PrepareCost[]>>;

/** Every round runs all of them once, so that a busy moment of the machine affects them alike. */
async function costRows([file = ""]: readonly string[]): Promise<readonly BenchRow[]> {
  const costs: Costs = { own: [], floor: [], loop: [] };
  const magickCosts: number[] = [];
  const loop = createPeer();
  const magick = createPeer(
    (await isMagickInstalled()) ? undefined : "ImageMagick is not installed",
  );
  for (let round = 0; round < rounds; round++) {
    for (const way of ["own", "floor"] as const) costs[way].push(await measure(way, file));
    const looped = await loop.measure(() => measure("loop", file));
    if (looped !== undefined) costs.loop.push(looped);
    const ms = await magick.measure(() => magickMs(file));
    if (ms !== undefined) magickCosts.push(ms);
  }
  const ratio = median(costs.own.map(({ wallMs }) => wallMs)) / median(magickCosts);
  const beside = row(`${name}.imagemagick`, ratio, "ratio", 1, { peer: 1 });
  return [...loop.rows(toRows(costs)), ...magick.rows([beside])];
}

async function measure(way: string, file: string): Promise<PrepareCost> {
  const env = { ...process.env, ...allocatorSettings };
  const { stdout } = await run(process.execPath, [job, way, file], { env });
  return JSON.parse(stdout) as PrepareCost;
}

/** On some machines, `convert` is another program. */
async function isMagickInstalled(): Promise<boolean> {
  try {
    return (await run("convert", ["-version"])).stdout.startsWith("Version: ImageMagick");
  } catch {
    return false;
  }
}

/** ImageMagick's own way to a size in bytes: it looks for the quality that just fits. */
async function magickMs(file: string): Promise<number> {
  const start = performance.now();
  const made = [file, "-strip", "-define", "jpeg:extent=12MB", "jpeg:-"];
  await run("convert", made, { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 });
  return performance.now() - start;
}

function toRows(costs: Costs): readonly BenchRow[] {
  const of = (way: keyof Costs, field: keyof PrepareCost) =>
    median(costs[way].map((cost) => cost[field]));
  const cpu = { own: of("own", "cpuMs"), floor: of("floor", "cpuMs"), peer: of("loop", "cpuMs") };
  const wall = of("own", "wallMs");
  return [
    row(name, cpu.own / cpu.floor, "ratio", goal.floor, { floor: 1, peer: cpu.peer / cpu.floor }),
    row(`${name}.peer`, cpu.own / cpu.peer, "ratio", goal.loop, { peer: 1 }),
    row(`${name}.cpu`, cpu.own, "ms", goal.floor * cpu.floor, { floor: cpu.floor, peer: cpu.peer }),
    row(`${name}.wall`, wall, "ms", of("loop", "wallMs"), {
      floor: of("floor", "wallMs"),
      peer: of("loop", "wallMs"),
    }),
    row(`${name}.encodes`, of("own", "encodes"), "encodes", goal.encodes, {
      peer: of("loop", "encodes"),
    }),
    row(`${name}.peak`, of("own", "peakMiB"), "MiB", goal.peakMiB, {
      floor: of("floor", "peakMiB"),
      peer: of("loop", "peakMiB"),
    }),
  ];
}

/** For every row, less is better. */
function row(
  name: string,
  value: number,
  unit: string,
  goal: number,
  beside: Pick<BenchRow, "floor" | "peer">,
): BenchRow {
  return { name, value, unit, ...beside, goal, ok: value <= goal, seed };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
