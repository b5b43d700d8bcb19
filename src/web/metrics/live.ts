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
  const [store, queues, loads] = await Promise.all([
    readings?.store(),
    countJobs(readings?.jobs),
    readLoads(readings?.loads ?? {}),
  ]);
  const { hasGateway, discord } = readings ?? {};
  return { store, storeWaitingMs, queues, loads, hasGateway, discord: discord?.() };
}

type GaugeValue = readonly [labels: Readonly<Record<string, string>>, value: number];

interface LiveGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Nothing where there is nothing to show. */
  readonly read: (snapshot: MetricsSnapshot) => readonly GaugeValue[];
}

export const liveGauges: readonly LiveGauge[] = [
  {
    name: "greenroom_build_info",
    help: "Which version runs, and on which Node.",
    labelNames: ["version", "node"],
    read: ({ version }) => [[{ version, node: process.version }, 1]],
  },
  {
    name: "greenroom_gateway_connected",
    help: "1 while Discord's gateway is connected; absent where interactions come over HTTP.",
    read: ({ hasGateway, discord }) =>
      hasGateway === false ? [] : single(Number(discord?.isConnected === true)),
  },
  {
    name: "greenroom_gateway_ping_seconds",
    help: "Round trip of the gateway's last heartbeat.",
    read: ({ discord }) => single(inSeconds(discord?.pingMs)),
  },
  {
    name: "greenroom_gateway_held",
    help: "1 while nothing new starts because Discord refused too many requests.",
    read: ({ discord }) => single(discord && Number(discord.isHeld)),
  },
  {
    name: "greenroom_guilds",
    help: "Servers that the bot is in.",
    read: ({ discord }) => single(discord?.guilds),
  },
  {
    name: "greenroom_queue_length",
    help: "Entries that wait for their turn.",
    labelNames: ["queue"],
    read: ({ loads }) => loads.map(([queue, { waiting }]) => [{ queue }, waiting]),
  },
  {
    name: "greenroom_under_way",
    help: "Entries in progress.",
    labelNames: ["queue"],
    read: ({ loads }) => loads.map(([queue, { running }]) => [{ queue }, running]),
  },
  {
    name: "greenroom_jobs",
    help: "Jobs in the database, of all processes; due is a part of waiting, parked failed for good.",
    labelNames: ["queue", "state"],
    read: ({ queues }) =>
      queues.flatMap((size) =>
        jobStates.map((state): GaugeValue => [{ queue: size.queue, state }, size[state]]),
      ),
  },
  {
    name: "greenroom_store_up",
    help: "1 when a row could be written and read just now.",
    read: ({ store }) => single(store && Number(store.isUp)),
  },
  {
    name: "greenroom_store_ping_seconds",
    help: "Time to write, read and delete a row.",
    read: ({ store }) => single(inSeconds(store?.ms)),
  },
  {
    name: "greenroom_store_waiting_seconds",
    help: "How long the oldest statement that waits for a connection to the database has waited.",
    read: ({ storeWaitingMs }) => single(inSeconds(storeWaitingMs)),
  },
  {
    name: "greenroom_event_loop_delay_seconds",
    help: "How late timers fire, since the last scrape; quantile 1 is the longest delay.",
    labelNames: ["quantile"],
    read: ({ delays }) =>
      delays.map(({ quantile, seconds }) => [{ quantile: `${quantile}` }, seconds]),
  },
];

function single(value: number | undefined): readonly GaugeValue[] {
  return value === undefined ? [] : [[{}, value]];
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

async function countJobs(count: Readings["jobs"]): Promise<readonly QueueSize[]> {
  if (count === undefined) return [];
  return withTimeout(count, { timeoutMs: patienceMs }).catch(() => []);
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
