import { createHttp } from "../../src/http/index.ts";
import { createVideoClient, type VideoClient } from "../../src/video/index.ts";
import { openFilm } from "../bench/film.ts";
import { hurry } from "../bench/haste.ts";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { type Service, startService } from "../bench/service.ts";
import type { Mishap, UploadPlan, UploadReport } from "../bench/upload-plan.ts";
import { seed, seeded } from "../support/random.ts";

export const rows: BenchRows = { uploads };

const count = 200;
const atOnce = 8;
const largest = 40_000_000;
const haste = 200;

interface Outcome {
  readonly plan: UploadPlan;
  readonly bytes: number;
  /** The hash of what was read from the source. */
  readonly hash: string;
  readonly error: unknown;
  readonly report: UploadReport;
}

/**
 * Uploads 200 files of all sizes, each with faults at different bytes: each must become one video, byte for byte, with
 * little sent twice.
 */
async function uploads(): Promise<readonly BenchRow[]> {
  const service = await startService("../bench/upload-service");
  const http = createHttp({ random: seeded(seed), ...hurry(haste) });
  const client = createVideoClient({ baseUrl: `${service.url}/v3`, token: "soak-token", http });
  try {
    const random = seeded(seed);
    const plans = Array.from({ length: count }, (_, n) => planOf(n, random));
    const outcomes: Outcome[] = [];
    const worker = async () => {
      for (let next = plans.shift(); next; next = plans.shift()) {
        outcomes.push(await upload(service, client, next));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return toRows(outcomes);
  } finally {
    await http.close();
    await service.stop();
  }
}

interface Planned {
  readonly plan: UploadPlan;
  readonly bytes: number;
}

/** Small sizes are as likely as large ones, because a single chunk has its own edge cases. */
function planOf(n: number, random: () => number): Planned {
  const bytes = Math.max(1, Math.floor(largest ** random()));
  const mishaps = Array.from({ length: Math.floor(random() * 6) }, () => mishapIn(bytes, random));
  return { bytes, plan: { title: `film ${n}`, mishaps, losesStart: random() < 0.2 } };
}

function mishapIn(bytes: number, random: () => number): Mishap {
  // The request with the last byte is the one that is answered with the video.
  const at = random() < 0.3 ? bytes - 1 : Math.floor(random() * bytes);
  const kinds = ["cut", "cut", "cut", "lost", "busy"] as const;
  const keeps = ["all", "blocks", "nothing"] as const;
  return {
    at,
    kind: kinds[Math.floor(random() * kinds.length)] ?? "cut",
    keeps: keeps[Math.floor(random() * keeps.length)] ?? "all",
    losesQuestion: random() < 0.2,
  };
}

async function upload(
  service: Service,
  client: VideoClient,
  { plan, bytes }: Planned,
): Promise<Outcome> {
  await service.ask(plan);
  const film = openFilm(bytes, bytes);
  const error: unknown = await client
    .call("videos.insert", {
      part: ["snippet"],
      body: { snippet: { title: plan.title, categoryId: "22" } },
      media: { data: film.stream, type: "video/mp4", bytes },
    })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const report = await service.ask<UploadReport>(plan.title);
  return { plan, bytes, hash: film.hash(), error, report };
}

function toRows(outcomes: readonly Outcome[]): BenchRow[] {
  const struck = outcomes.reduce((sum, { report }) => sum + report.mishaps, 0);
  const wrong = outcomes.filter((outcome) => !isRight(outcome));
  const most = Math.max(...outcomes.map(resentPerMishap));
  for (const { plan, bytes, error, report } of wrong) {
    console.error(JSON.stringify({ plan, bytes, error: String(error), report }));
  }
  return [
    row("uploads.wrong", { value: wrong.length, unit: `uploads of ${outcomes.length}`, goal: 0 }),
    row("uploads.resent", { value: most, unit: "chunks a mishap at most", goal: 1 }),
    {
      ...row("uploads.mishaps", { value: struck, unit: "mishaps", goal: outcomes.length }),
      ok: struck >= outcomes.length,
    },
  ];
}

function isRight({ bytes, hash, error, report }: Outcome): boolean {
  const isOnce = report.videos === 1 && report.hash === hash && report.wrong === 0;
  return error === undefined && isOnce && report.offered >= bytes;
}

/** How many chunks were sent again for each fault, on average; for a small file, a chunk is the whole file. */
function resentPerMishap({ bytes, report }: Outcome): number {
  if (report.mishaps === 0) return (report.offered - bytes) / report.largestChunk;
  return (report.offered - bytes) / report.largestChunk / report.mishaps;
}

function row(
  name: string,
  figure: { readonly value: number; readonly unit: string; readonly goal: number },
): BenchRow {
  return { name, ...figure, ok: figure.value <= figure.goal, seed };
}
