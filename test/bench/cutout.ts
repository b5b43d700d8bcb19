import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withInputs } from "./compose-inputs.ts";
import type { RoadCost } from "./cutout-job.ts";
import { createPeer } from "./peer.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { startService } from "./service.ts";

const run = promisify(execFile);
const job = fileURLToPath(new URL("./cutout-job.ts", import.meta.url));

/** Seed of the inputs' noise, in compose-input.ts. */
const seed = 7;

/** Counts are multiples of the three that are worked on at once. */
const levels = {
  "1mp": { megapixels: 1, count: 9 },
  "4mp": { megapixels: 4, count: 6 },
  "10mp": { megapixels: 10, count: 3 },
} as const;

type Level = keyof typeof levels;
type Who = "own" | "floor" | "peer";

const rounds = 3;

/** The bot leaves one core free of pictures, so that answers do not wait; the obvious way takes all cores. */
const coreShare = Math.max(1, availableParallelism() - 1) / availableParallelism();

/**
 * Pictures cut out a second the whole way from attachment to PNG, with a stand-in for remove.bg that answers at once
 * from another process: as the bot does it, with only the unavoidable work, and in the obvious way.
 */
export const rows: BenchRows = {
  "cutout.1mp": () => roadRows("1mp"),
  "cutout.4mp": () => roadRows("4mp"),
  "cutout.10mp": () => roadRows("10mp"),
};

function roadRows(level: Level): Promise<readonly BenchRow[]> {
  return withInputs([`photo.${level}`, level], async (files) => {
    const service = await startService("cutout-service", ...files);
    const costs: Record<Who, RoadCost[]> = { floor: [], own: [], peer: [] };
    const peer = createPeer();
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const who of ["floor", "own"] as const) {
          costs[who].push(await measure(who, service.url, level));
        }
        const peerCost = await peer.measure(() => measure("peer", service.url, level));
        if (peerCost !== undefined) costs.peer.push(peerCost);
      }
    } finally {
      await service.stop();
    }
    return peer.rows(toRows(`cutout.${level}`, costs));
  });
}

async function measure(who: Who, url: string, level: Level): Promise<RoadCost> {
  const { count, megapixels } = levels[level];
  const { stdout } = await run(process.execPath, [job, who, url, `${count}`, `${megapixels}`]);
  return JSON.parse(stdout) as RoadCost;
}

function toRows(
  name: string,
  costs: Readonly<Record<Who, readonly RoadCost[]>>,
): readonly BenchRow[] {
  const of = (field: keyof RoadCost) => ({
    own: median(costs.own.map((cost) => cost[field])),
    floor: median(costs.floor.map((cost) => cost[field])),
    peer: median(costs.peer.map((cost) => cost[field])),
  });
  const [rate, cpu] = [of("perSecond"), of("cpuMs")];
  return [
    {
      name,
      value: rate.own,
      unit: "/s",
      floor: rate.floor,
      peer: rate.peer,
      goal: rate.peer * coreShare,
      ok: rate.own >= rate.peer * coreShare,
      seed,
    },
    {
      name: `${name}.cpu`,
      value: cpu.own,
      unit: "ms",
      floor: cpu.floor,
      peer: cpu.peer,
      goal: cpu.peer,
      ok: cpu.own <= cpu.peer,
      seed,
    },
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
