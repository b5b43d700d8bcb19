import { withTimeout } from "../../clock.ts";
import type { Store } from "../../store/index.ts";

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

export interface MetricsSnapshot {
  readonly version: string;
  /** Of the event loop. */
  readonly delays: readonly { readonly quantile: number; readonly seconds: number }[];
  readonly hasGateway?: boolean | undefined;
  readonly discord?: DiscordReading | undefined;
  readonly store?: StoreProbeResult | undefined;
  readonly storeWaitingMs?: number | undefined;
  readonly queues: readonly QueueSize[];
  readonly loads: readonly (readonly [queue: string, Load])[];
}

/** Reads what takes a while, and then Discord's state. */
export async function readAll(readings: Readings | undefined) {
  // Before this itself asks the database something.
  const storeWaitingMs = readings?.storeWaitingMs();
  const { hasGateway, discord, jobs = async () => [] } = readings ?? {};
  const [store, queues, loads] = await Promise.all([
    readings?.store(),
    withTimeout(jobs, { timeoutMs: patienceMs }).catch(() => []),
    readLoads(readings?.loads ?? {}),
  ]);
  return { store, storeWaitingMs, queues, loads, hasGateway, discord: discord?.() };
}

type GaugeValue = readonly [labels: Readonly<Record<string, string>>, value: number];

export interface GaugeSpec {
  readonly help: string;
  readonly labels?: readonly string[];
}

export const gauges = {
  greenroom_build_info: {
    help: "Which version runs, and on which Node.",
    labels: ["version", "node"],
  },
  greenroom_gateway_connected: {
    help: "1 while Discord's gateway is connected; absent where interactions come over HTTP.",
  },
  greenroom_gateway_ping_seconds: { help: "Round trip of the gateway's last heartbeat." },
  greenroom_gateway_held: {
    help: "1 while nothing new starts because Discord refused too many requests.",
  },
  greenroom_guilds: { help: "Servers that the bot is in." },
  greenroom_queue_length: { help: "Entries that wait for their turn.", labels: ["queue"] },
  greenroom_under_way: { help: "Entries in progress.", labels: ["queue"] },
  greenroom_jobs: {
    help: "Jobs in the database, of all processes; due is a part of waiting, parked failed for good.",
    labels: ["queue", "state"],
  },
  greenroom_store_up: { help: "1 when a row could be written and read just now." },
  greenroom_store_ping_seconds: { help: "Time to write, read and delete a row." },
  greenroom_store_waiting_seconds: {
    help: "How long the oldest statement that waits for a connection to the database has waited.",
  },
  greenroom_event_loop_delay_seconds: {
    help: "How late timers fire, since the last scrape; quantile 1 is the longest delay.",
    labels: ["quantile"],
  },
} as const satisfies Readonly<Record<string, GaugeSpec>>;

/** The values of each gauge; none where there is nothing to show. */
export function readGauges(
  snapshot: MetricsSnapshot,
): Readonly<Record<keyof typeof gauges, readonly GaugeValue[]>> {
  const { version, hasGateway, discord, store, queues, loads, delays } = snapshot;
  const single = (value: number | undefined): readonly GaugeValue[] =>
    value === undefined ? [] : [[{}, value]];
  const seconds = (ms: number | undefined) => single(ms === undefined ? undefined : ms / 1000);
  const isConnected = Number(discord?.isConnected === true);
  return {
    greenroom_build_info: [[{ version, node: process.version }, 1]],
    greenroom_gateway_connected: hasGateway === false ? [] : single(isConnected),
    greenroom_gateway_ping_seconds: seconds(discord?.pingMs),
    greenroom_gateway_held: single(discord && Number(discord.isHeld)),
    greenroom_guilds: single(discord?.guilds),
    greenroom_queue_length: loads.map(([queue, { waiting }]) => [{ queue }, waiting]),
    greenroom_under_way: loads.map(([queue, { running }]) => [{ queue }, running]),
    greenroom_jobs: queues.flatMap((size) =>
      jobStates.map((state): GaugeValue => [{ queue: size.queue, state }, size[state]]),
    ),
    greenroom_store_up: single(store && Number(store.isUp)),
    greenroom_store_ping_seconds: seconds(store?.ms),
    greenroom_store_waiting_seconds: seconds(snapshot.storeWaitingMs),
    greenroom_event_loop_delay_seconds: delays.map(({ quantile, seconds: delay }) => {
      return [{ quantile: `${quantile}` }, delay];
    }),
  };
}

/** Leaves out what can't be read now. */
async function readLoads(all: Readings["loads"]): Promise<MetricsSnapshot["loads"]> {
  const read = await Promise.allSettled(
    Object.entries(all).map(async ([name, load]) => [name, await load()] as const),
  );
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

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
