import { loadavg } from "node:os";
import { findPostgres } from "../support/databases/postgres-server.ts";
import type { Transport } from "./light-discord-protocol.ts";
import type { BenchRow, BenchRows } from "./row.ts";
import { type MeasuredLoad, openScaleStage, type ScaleSetup } from "./scale-stage.ts";

const transports: readonly Transport[] = ["gateway", "http"];
const setups: readonly ScaleSetup[] = transports.flatMap((transport) => [
  { transport, database: "sqlite", processes: 1 } as const,
  ...[1, 2, 4].map((processes) => ({ transport, database: "postgres", processes }) as const),
]);

export const rows: BenchRows = Object.fromEntries([
  ...setups.map((setup) => [`scale.answer.${nameOf(setup)}`, () => answerRows(setup)]),
  ...setups.map((setup) => [`scale.ack.${nameOf(setup)}`, () => acknowledgeRows(setup)]),
]);

/** Interactions a second, tried in this order until one is too much. */
const rates = [400, 600, 800, 1_000, 1_200, 1_400, 1_600, 2_000];
const seconds = 8;
const answerRate = 200;
const goals = { acknowledgeMs: 300, answerMs: 1_000, perSecond: 1_000, twoOfOne: 1.7 };

function nameOf({ transport, database, processes }: ScaleSetup): string {
  return `${transport}.${database}.${processes}`;
}

interface Measured {
  /** The load at 200 a second. */
  readonly calm: MeasuredLoad;
  /** The load at the highest rate that was acknowledged in time. */
  readonly most: MeasuredLoad | undefined;
}

/** Each setup is measured once in a run, because several rows use it. */
const known = new Map<string, Promise<Measured>>();

function measured(setup: ScaleSetup): Promise<Measured> {
  const measuring = known.get(nameOf(setup)) ?? measure(setup);
  known.set(nameOf(setup), measuring);
  return measuring;
}

type LoadAt = (perSecond: number) => Promise<MeasuredLoad>;

async function measure(setup: ScaleSetup): Promise<Measured> {
  return onStage(setup, async (loadAt) => {
    const calm = await loadAt(answerRate);
    let most: MeasuredLoad | undefined;
    for (const perSecond of rates) {
      const load = await loadAt(perSecond);
      if (!isInTime(load)) break;
      most = load;
    }
    return { calm, most };
  });
}

async function onStage<T>(setup: ScaleSetup, work: (loadAt: LoadAt) => Promise<T>): Promise<T> {
  const stage = await openScaleStage(setup);
  const loadAt = async (perSecond: number) => {
    const load = await stage.ask({ kind: "load", perSecond, seconds });
    console.error(describeLoad(nameOf(setup), load));
    return load;
  };
  try {
    // Code runs slowly at first, and the roles of all servers have to be read.
    for (const perSecond of [100, 300]) await loadAt(perSecond);
    return await work(loadAt);
  } finally {
    await stage.close();
  }
}

function isInTime({ sent, acknowledged, answered, acknowledgeMs }: MeasuredLoad): boolean {
  const isWhole = acknowledged === sent && answered === sent;
  return isWhole && acknowledgeMs.p99 < goals.acknowledgeMs;
}

function describeLoad(name: string, load: MeasuredLoad): string {
  const { sent, acknowledged, answered, perSecond, acknowledgeMs, answerMs, lateMs } = load;
  const each = (ms: number) => `${((ms / sent) * 1000).toFixed(0)} us`;
  return [
    `${name}: ${perSecond.toFixed(0)}/s, ${acknowledged} of ${sent} acknowledged, ${answered} answered`,
    `acknowledged p50 ${acknowledgeMs.p50.toFixed(1)} p99 ${acknowledgeMs.p99.toFixed(1)} max ${acknowledgeMs.max.toFixed(0)} ms`,
    `answered p50 ${answerMs.p50.toFixed(1)} p99 ${answerMs.p99.toFixed(1)} ms`,
    `CPU each: bots ${each(load.botCpuMs)}, database ${each(load.databaseCpuMs)}`,
    `generator late ${lateMs.toFixed(0)} ms, load ${loadavg()[0]?.toFixed(1)}`,
    ...(Object.keys(load.refused).length > 0 ? [JSON.stringify(load.refused)] : []),
  ].join("; ");
}

async function answerRows(setup: ScaleSetup): Promise<readonly BenchRow[]> {
  const name = `scale.answer.${nameOf(setup)}`;
  const goal = goals.answerMs;
  if (isImpossible(setup)) return [skipped(name, "ms", goal)];
  const { calm } = await measured(setup);
  const value = calm.answerMs.p99;
  const ok = calm.answered === calm.sent && value < goal;
  return [{ name, value, unit: `ms p99 at ${answerRate} a second`, goal, ok }];
}

/** The rate, and what the bots' own CPU would achieve on cores that they share with nothing else. */
async function acknowledgeRows(setup: ScaleSetup): Promise<readonly BenchRow[]> {
  const name = `scale.ack.${nameOf(setup)}`;
  const { processes } = setup;
  const goal = processes === 1 ? goals.perSecond : null;
  if (isImpossible(setup)) return [skipped(name, "a second", goal)];
  const { most } = await measured(setup);
  const perSecond = most?.perSecond ?? 0;
  const rate: BenchRow = {
    name,
    value: perSecond,
    unit: "a second on this machine",
    goal,
    ok: Math.round(perSecond) >= (goal ?? 0),
  };
  if (processes === 1 || most === undefined) return [rate];
  // A busier process needs less CPU for each interaction, so the single one is measured with its share of the load.
  const share = Math.round(perSecond / processes);
  const one = await onStage({ ...setup, processes: 1 }, (loadAt) => loadAt(share));
  const value = (processes * perCpuSecond(most)) / perCpuSecond(one);
  const ofOne = processes === 2 ? goals.twoOfOne : null;
  const unit = "times one with an equal load, if each had a core: by interactions a second of CPU";
  return [rate, { name: `${name}.ofOne`, value, unit, goal: ofOne, ok: value >= (ofOne ?? 0) }];
}

function perCpuSecond({ acknowledged, botCpuMs }: MeasuredLoad): number {
  return (acknowledged / botCpuMs) * 1000;
}

function isImpossible({ database }: ScaleSetup): boolean {
  return database === "postgres" && findPostgres() === undefined;
}

function skipped(name: string, unit: string, goal: number | null): BenchRow {
  return { name, value: null, unit, goal, ok: true, skipped: "PostgreSQL is not installed" };
}
