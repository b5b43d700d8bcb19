import { setTimeout as wait } from "node:timers/promises";
import type { BenchRow, BenchRows } from "../bench/row.ts";
import { openScaleStage } from "../bench/scale-stage.ts";
import { findPostgres } from "../support/databases/postgres-server.ts";
import type { SpawnedBot } from "../support/spawn-bot.ts";

export const rows: BenchRows = { ...(findPostgres() && { slope }) };

const perSecond = 50;
const sampleSeconds = 20;
/** For trial runs; a slope over less than a quarter of an hour says little. */
const { SLOPE_MINUTES = "15", SLOPE_WARM_MINUTES = "5" } = process.env;
const mebibyte = 1024 ** 2;

interface MemorySample {
  readonly minute: number;
  readonly rss: number;
  readonly heap: number;
  readonly loopMs: number;
}

/** Memory and event loop of a process that answers 50 interactions a second, over HTTP with PostgreSQL. */
async function slope(): Promise<readonly BenchRow[]> {
  const probes = ["memory-probe", "loop-probe"].map(
    (name) => new URL(`../bench/${name}.ts`, import.meta.url).href,
  );
  const stage = await openScaleStage({
    transport: "http",
    database: "postgres",
    processes: 1,
    nodeFlags: ["--expose-gc", ...probes.map((probe) => `--import=${probe}`)],
  });
  const [bot] = stage.bots;
  if (bot === undefined) throw new TypeError("no bot was started");
  try {
    const load = (seconds: number) => stage.ask({ kind: "load", perSecond, seconds });
    await load(Number(SLOPE_WARM_MINUTES) * 60);
    await sampleOf(bot, 0);
    const samples: MemorySample[] = [];
    let lost = 0;
    const startedAt = performance.now();
    const minute = () => (performance.now() - startedAt) / 60_000;
    while (minute() < Number(SLOPE_MINUTES)) {
      const { sent, answered } = await load(sampleSeconds);
      lost += sent - answered;
      samples.push(await sampleOf(bot, minute()));
    }
    return rowsOf(samples, lost);
  } finally {
    await stage.close();
  }
}

function rowsOf(samples: readonly MemorySample[], lost: number): readonly BenchRow[] {
  const growth = (value: (sample: MemorySample) => number) =>
    slopeOf(samples.map((sample) => [sample.minute, value(sample)]));
  const limit = (name: string, value: number, unit: string, goal: number): BenchRow => ({
    name,
    value,
    unit,
    goal,
    ok: value < goal,
  });
  return [
    limit(
      "slope.heap",
      growth(({ heap }) => heap),
      "MiB a minute",
      1,
    ),
    limit(
      "slope.rss",
      growth(({ rss }) => rss),
      "MiB a minute",
      1,
    ),
    limit("slope.loop", Math.max(...samples.map(({ loopMs }) => loopMs)), "ms p99 of 20 s", 100),
    { name: "slope.lost", value: lost, unit: "unanswered", goal: 0, ok: lost === 0 },
  ];
}

/** The memory left after a garbage collection, and the event loop's delay since the last sample. */
async function sampleOf(bot: SpawnedBot, minute: number): Promise<MemorySample> {
  const linesOf = (name: string) => bot.lines.filter(({ message }) => message === name);
  const before = linesOf("memory").length;
  bot.child.kill("SIGUSR2");
  while (linesOf("memory").length === before || linesOf("loop").length === before) await wait(20);
  const { heapUsed, rss } = linesOf("memory").at(-1) ?? {};
  const { p99Ms } = linesOf("loop").at(-1) ?? {};
  const sample = {
    minute,
    rss: Number(rss) / mebibyte,
    heap: Number(heapUsed) / mebibyte,
    loopMs: Number(p99Ms),
  };
  console.error(JSON.stringify(sample));
  return sample;
}

/** The slope of the least-squares line. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, each) => sum + each, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2));
}
