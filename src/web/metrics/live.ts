import { withTimeout } from "../../clock.ts";
import type { Store } from "../../store/index.ts";
import { createGauge, type GaugeValue, type MetricSeries } from "./series.ts";

/** The load of a pool or a queue. */
export interface Load {
  readonly waiting: number;
  readonly running: number;
}

export interface DiscordReading {
  readonly isConnected: boolean;
  /** The ping of the last heartbeat; undefined before the first. */
  readonly pingMs: number | undefined;
  /** Undefined over HTTP. */
  readonly guilds: number | undefined;
  /** Whether no new requests are sent, because Discord refused too many. */
  readonly isHeld: boolean;
}

/** The result of testing the store. */
export interface StoreProbeResult {
  readonly isUp: boolean;
  readonly ms: number;
}

/** How many jobs a queue has in the database, for all processes. */
export interface QueueSize {
  readonly queue: string;
  readonly waiting: number;
  /** Of those, how many are due by now. */
  readonly due: number;
  readonly running: number;
  /** Failed for good. */
  readonly parked: number;
}

/** What is read each time somebody asks for the metrics. */
export interface Readings {
  /** Whether interactions come over the gateway, and not over HTTP. */
  readonly hasGateway: boolean;
  /** Undefined while the bot takes no interactions yet, or no longer. */
  readonly discord: () => DiscordReading | undefined;
  /** By name. */
  readonly loads: Readonly<Record<string, () => Load | Promise<Load>>>;
  readonly store: () => Promise<StoreProbeResult>;
  /** How long the oldest statement that waits for a connection to the database has waited. */
  readonly storeWaitingMs: () => number;
  /** No job metrics when absent. */
  readonly jobs?: (() => Promise<readonly QueueSize[]>) | undefined;
}

/** Longest wait for the store's answer, and for the count of jobs, which is then left out. */
const patienceMs = 2_000;
const jobStates = ["waiting", "due", "running", "parked"] as const;

/** The latest readings. */
interface MetricsSnapshot {
  readonly store?: StoreProbeResult | undefined;
  readonly storeWaitingMs?: number | undefined;
  readonly queues: readonly QueueSize[];
  readonly loads: ReadonlyMap<string, Load>;
}

/** Gauges of the current state. */
export function createLiveGauges(version: string) {
  let readings: Readings | undefined;
  let last: MetricsSnapshot = { queues: [], loads: new Map() };
  return {
    series: [
      createGauge(
        {
          name: "greenroom_build_info",
          help: "Which version runs, and on which Node.",
          labels: ["version", "node"],
        },
        () => [[[version, process.version], 1]],
      ),
      ...discordGauges(() => readings),
      ...snapshotGauges(() => last),
    ] satisfies MetricSeries[],
    /** Sets what is read at each rendering. */
    watch: (source: Readings) => {
      readings = source;
    },
    /** Reads what takes a while, before the others are read. */
    read: async () => {
      // Before this itself asks the database something.
      const storeWaitingMs = readings?.storeWaitingMs();
      const [store, queues, loads] = await Promise.all([
        readings?.store(),
        countJobs(readings?.jobs),
        readLoads(readings?.loads ?? {}),
      ]);
      last = { store, storeWaitingMs, queues, loads };
    },
  };
}

function discordGauges(readings: () => Readings | undefined): readonly MetricSeries[] {
  /** Shows nothing while the bot takes no interactions. */
  const shown =
    (value: (state: DiscordReading) => number | undefined) => (): readonly GaugeValue[] => {
      const state = readings()?.discord();
      const found = state === undefined ? undefined : value(state);
      return found === undefined ? [] : [[[], found]];
    };
  return [
    createGauge(
      {
        name: "greenroom_gateway_connected",
        help: "1 while Discord's gateway is connected; absent where interactions come over HTTP.",
      },
      () => {
        const all = readings();
        return all?.hasGateway === false
          ? []
          : [[[], Number(all?.discord()?.isConnected === true)]];
      },
    ),
    createGauge(
      {
        name: "greenroom_gateway_ping_seconds",
        help: "Round trip of the gateway's last heartbeat.",
      },
      shown(({ pingMs }) => (pingMs === undefined ? undefined : pingMs / 1000)),
    ),
    createGauge(
      {
        name: "greenroom_gateway_held",
        help: "1 while nothing new starts because Discord refused too many requests.",
      },
      shown(({ isHeld }) => Number(isHeld)),
    ),
    createGauge(
      { name: "greenroom_guilds", help: "Servers that the bot is in." },
      shown(({ guilds }) => guilds),
    ),
  ];
}

function snapshotGauges(last: () => MetricsSnapshot): readonly MetricSeries[] {
  const loadsOf = (which: keyof Load) => (): readonly GaugeValue[] =>
    [...last().loads].map(([name, load]) => [[name], load[which]]);
  const probed = (value: (probe: StoreProbeResult) => number) => (): readonly GaugeValue[] => {
    const { store } = last();
    return store === undefined ? [] : [[[], value(store)]];
  };
  return [
    createGauge(
      {
        name: "greenroom_queue_length",
        help: "Entries that wait for their turn.",
        labels: ["queue"],
      },
      loadsOf("waiting"),
    ),
    createGauge(
      { name: "greenroom_under_way", help: "Entries in progress.", labels: ["queue"] },
      loadsOf("running"),
    ),
    createGauge(
      {
        name: "greenroom_jobs",
        help: "Jobs in the database, of all processes; due is a part of waiting, parked failed for good.",
        labels: ["queue", "state"],
      },
      () =>
        last().queues.flatMap((size) =>
          jobStates.map((state): GaugeValue => [[size.queue, state], size[state]]),
        ),
    ),
    createGauge(
      { name: "greenroom_store_up", help: "1 when a row could be written and read just now." },
      probed(({ isUp }) => Number(isUp)),
    ),
    createGauge(
      {
        name: "greenroom_store_ping_seconds",
        help: "Time to write, read and delete a row.",
      },
      probed(({ ms }) => ms / 1000),
    ),
    createGauge(
      {
        name: "greenroom_store_waiting_seconds",
        help: "How long the oldest statement that waits for a connection to the database has waited.",
      },
      () => {
        const { storeWaitingMs } = last();
        return storeWaitingMs === undefined ? [] : [[[], storeWaitingMs / 1000]];
      },
    ),
  ];
}

async function countJobs(count: Readings["jobs"]): Promise<readonly QueueSize[]> {
  if (count === undefined) return [];
  return withTimeout(count, { timeoutMs: patienceMs }).catch(() => []);
}

/** Leaves out what can't be read now. */
async function readLoads(all: Readings["loads"]): Promise<ReadonlyMap<string, Load>> {
  const read = await Promise.all(
    Object.entries(all).map(async ([name, load]) => {
      try {
        return [[name, await load()] as const];
      } catch {
        return [];
      }
    }),
  );
  return new Map(read.flat());
}

/** How long an answer is reused. */
const freshMs = 1_000;

const failed = { state: "failed" } as const;

/** Tests the store, at most once a second however many ask. */
export function createStoreProbe(store: Pick<Store, "ping">): () => Promise<StoreProbeResult> {
  let last: { readonly at: number; readonly probed: Promise<StoreProbeResult> } | undefined;
  return () => {
    const at = performance.now();
    if (last === undefined || at - last.at > freshMs) last = { at, probed: probe(store) };
    return last.probed;
  };
}

async function probe(store: Pick<Store, "ping">): Promise<StoreProbeResult> {
  const startedAt = performance.now();
  const { state } = await withTimeout(() => store.ping(), { timeoutMs: patienceMs }).catch(
    () => failed,
  );
  return { isUp: state === "found", ms: performance.now() - startedAt };
}
