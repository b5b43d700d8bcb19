import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { seed, seeded } from "../support/random.ts";
import { startFlags } from "../support/spawn-bot.ts";
import { createPeer } from "./peer.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { type Service, startService } from "./service.ts";
import type { UploadCost } from "./upload-client.ts";
import type { Mishap, UploadPlan, UploadReport } from "./upload-plan.ts";

export const rows: BenchRows = { upload };

const run = promisify(execFile);
const bytes = 1_000_000_000;
const cuts = 20;
const goalMiB = 64;

/** Uploads 1 GB, generated while it is sent, over a connection that breaks at 20 places. */
async function upload(): Promise<readonly BenchRow[]> {
  const service = await startService("upload-service");
  try {
    const peer = createPeer();
    const bare = await peer.measure(() =>
      measure(service, "bare", { title: "in one go", mishaps: [] }),
    );
    const own = await measure(service, "ours", { title: "with cuts", mishaps: planCuts() });
    return peer.rows(toRows(own, bare?.cost.peakMiB ?? Number.NaN));
  } finally {
    await service.stop();
  }
}

/**
 * About half of the cuts lose what came since the last whole block of 256 KiB; the others lose nothing that arrived.
 */
function planCuts(): Mishap[] {
  const random = seeded(seed);
  return Array.from({ length: cuts }, (_, n) => ({
    at: Math.floor(((n + random()) * bytes) / cuts),
    kind: "cut",
    keeps: random() < 0.5 ? "blocks" : "all",
    losesQuestion: random() < 0.25,
  }));
}

interface Measured {
  readonly cost: UploadCost;
  readonly report: UploadReport;
}

async function measure(service: Service, way: string, plan: UploadPlan): Promise<Measured> {
  await service.ask(plan);
  const program = fileURLToPath(new URL("./upload-client.ts", import.meta.url));
  const flags = [...startFlags, "--expose-gc"];
  const { stdout } = await run(
    process.execPath,
    [...flags, program, way, service.url, plan.title, String(bytes), String(seed)],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)) },
  );
  const cost = JSON.parse(stdout) as UploadCost;
  return { cost, report: await service.ask<UploadReport>(plan.title) };
}

function toRows({ cost, report }: Measured, peerMiB: number): BenchRow[] {
  const resent = (report.offered - bytes) / report.largestChunk / cuts;
  const isWhole = report.hash === cost.hash && cost.reported === bytes && report.wrong === 0;
  const common = { seed };
  return [
    {
      ...common,
      name: "upload.resent",
      value: resent,
      unit: "chunks a cut",
      floor: 0,
      goal: 1,
      // An upload with fewer cuts than planned would prove nothing.
      ok: resent <= 1 && report.mishaps === cuts,
    },
    {
      ...common,
      name: "upload.videos",
      value: report.videos,
      unit: "videos",
      goal: 1,
      ok: report.videos === 1 && isWhole,
    },
    {
      ...common,
      name: "upload.peak",
      value: cost.peakMiB,
      unit: "MiB",
      peer: peerMiB,
      goal: goalMiB,
      ok: cost.peakMiB <= goalMiB,
    },
  ];
}
