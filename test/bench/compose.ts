import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allocatorSettings } from "../../src/images/worker/child.ts";
import { withInputs } from "./compose-inputs.ts";
import type { Cost } from "./cost.ts";
import { findMagick, hasMagickWay, magickMs } from "./magick.ts";
import { createPeer } from "./peer.ts";
import type { BenchRow, BenchRows } from "./row.ts";

const job = fileURLToPath(new URL("./compose-job.ts", import.meta.url));
const noise = fileURLToPath(new URL("./compose-noise.ts", import.meta.url));
const run = promisify(execFile);

type Input = "10mp" | "50mp";

/** Seed of the inputs' noise, in compose-input.ts. */
const seed = 7;
/** All three ways of a 50 megapixel WebP take half a minute together. */
const rounds = { png: 3, jpg: 3, webp: 1, ground: 3, blur: 3 } as const;

/**
 * CPU compared with the encoder alone and with the obvious way, bytes with sharp's default, memory with an idle worker.
 */
const goals = {
  png: { floor: 1.25, peer: 0.85, bytes: 0.45, peakMiB: 130 },
  webp: { floor: 1.15, peer: 0.45, bytes: undefined, peakMiB: 1_280 },
  jpg: { floor: 1.6, peer: 1, bytes: undefined, peakMiB: 320 },
  ground: { floor: 1.5, peer: 0.85, bytes: 0.6, peakMiB: 130 },
  blur: { floor: 3.2, peer: 0.5, bytes: undefined, peakMiB: 130 },
} as const;

/** Composing pictures: CPU compared with the encoder alone and with the obvious way, in one run. */
export const rows: BenchRows = {
  "compose.png.10mp": () => costRows("png", "compose.png.10mp", "10mp"),
  "compose.webp.50mp": () => costRows("webp", "compose.webp.50mp", "50mp"),
  "compose.webp.noise": noiseRows,
  "compose.jpg.50mp": () => costRows("jpg", "compose.jpg.50mp", "50mp"),
  "compose.color.10mp": () => costRows("ground", "compose.color.10mp", "10mp"),
  "compose.blur.10mp": () => costRows("blur", "compose.blur.10mp", "10mp"),
};

/** Every round runs all of them once, so that a busy moment of the machine affects them alike. */
function costRows(kind: keyof typeof goals, name: string, of: Input): Promise<readonly BenchRow[]> {
  return withInputs([of], async ([file = ""]) => {
    const costs: Record<"own" | "floor" | "peer", Cost[]> = { own: [], floor: [], peer: [] };
    const magickCosts: number[] = [];
    const peer = createPeer();
    const program = await findMagick();
    const magick = createPeer(program === undefined ? "ImageMagick is not installed" : undefined);
    for (let round = 0; round < rounds[kind]; round++) {
      costs.floor.push(await measure(`${kind}.floor`, file));
      costs.own.push(await measure(kind, file));
      const peerCost = await peer.measure(() => measure(`${kind}.peer`, file));
      if (peerCost !== undefined) costs.peer.push(peerCost);
      const at = { zip: file, folder: dirname(file) };
      const ms = await magick.measure(() => magickMs(program ?? "", kind, at));
      if (ms !== undefined) magickCosts.push(ms);
    }
    const rows = peer.rows(toRows(kind, name, costs));
    if (!hasMagickWay(kind)) return rows;
    return [...rows, ...magick.rows([magickRow(name, costs.own, magickCosts)])];
  });
}

/** Counts the pictures of noise that libwebp gives up on with the settings in use. */
async function noiseRows(): Promise<readonly BenchRow[]> {
  const { stdout } = await run(process.execPath, [noise], {
    env: { ...process.env, ...allocatorSettings },
  });
  return [row("compose.webp.noise", Number(stdout), "failures", 0, {})];
}

async function measure(name: string, file: string): Promise<Cost> {
  const env = { ...process.env, ...allocatorSettings };
  const { stdout } = await run(process.execPath, [job, name, file], { env });
  return JSON.parse(stdout) as Cost;
}

function toRows(
  kind: keyof typeof goals,
  name: string,
  costs: Record<"own" | "floor" | "peer", readonly Cost[]>,
): readonly BenchRow[] {
  const goal = goals[kind];
  const of = (who: keyof typeof costs, field: keyof Cost) =>
    median(costs[who].map((cost) => cost[field]));
  const cpu = { own: of("own", "cpuMs"), floor: of("floor", "cpuMs"), peer: of("peer", "cpuMs") };
  const bytes = of("own", "bytes") / of("peer", "bytes");
  return [
    row(name, cpu.own / cpu.floor, "ratio", goal.floor, { floor: 1, peer: cpu.peer / cpu.floor }),
    row(`${name}.peer`, cpu.own / cpu.peer, "ratio", goal.peer, { peer: 1 }),
    row(`${name}.cpu`, cpu.own, "ms", goal.floor * cpu.floor, cpu),
    row(`${name}.wall`, of("own", "wallMs"), "ms", of("peer", "wallMs"), {
      floor: of("floor", "wallMs"),
      peer: of("peer", "wallMs"),
    }),
    row(`${name}.peak`, of("own", "peakMiB"), "MiB", goal.peakMiB, {
      floor: of("floor", "peakMiB"),
      peer: of("peer", "peakMiB"),
    }),
    ...(goal.bytes ? [row(`${name}.bytes`, bytes, "ratio", goal.bytes, { peer: 1 })] : []),
  ];
}

function magickRow(name: string, own: readonly Cost[], magick: readonly number[]): BenchRow {
  const ratio = median(own.map(({ cpuMs }) => cpuMs)) / median(magick);
  return row(`${name}.imagemagick`, ratio, "ratio", 1, { peer: 1 });
}

/** For every row, less is better. */
function row(
  name: string,
  value: number,
  unit: string,
  goal: number,
  beside: { readonly floor?: number; readonly peer?: number },
): BenchRow {
  const { floor, peer } = beside;
  const compared = { ...(floor !== undefined && { floor }), ...(peer !== undefined && { peer }) };
  return { name, value, unit, ...compared, goal, ok: value <= goal, seed };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
