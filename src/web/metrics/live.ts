import { withTimeout } from "../../clock.ts";
import { createGauge, type Gauged, type Series } from "./series.ts";

/** How a pool or a queue stands. */
export interface Load {
  readonly waiting: number;
  readonly running: number;
}

export interface GatewayState {
  readonly isConnected: boolean;
  /** Of the last heartbeat; undefined before the first. */
  readonly pingMs: number | undefined;
  readonly guilds: number;
  /** Whether nothing new is begun, because the platform refused too much. */
  readonly isHeld: boolean;
}

/** A try of the store. */
export interface Probed {
  readonly isUp: boolean;
  readonly ms: number;
}

/** How many jobs of a queue there are in the database, of all processes. */
export interface QueueSize {
  readonly queue: string;
  readonly waiting: number;
  /** Of those, how many are due by now. */
  readonly due: number;
  readonly running: number;
  /** Failed for good. */
  readonly parked: number;
}

/** What is read when somebody asks for the metrics. */
export interface Readings {
  /** Undefined while it is not connected yet, or no more. */
  readonly gateway: () => GatewayState | undefined;
  /** By name. */
  readonly loads: Readonly<Record<string, () => Load | Promise<Load>>>;
  readonly store: () => Promise<Probed>;
  /** Left out where absent. */
  readonly jobs?: (() => Promise<readonly QueueSize[]>) | undefined;
}

/** Longest wait for the database's count of its jobs, which is left out then. */
const patienceMs = 2_000;
const jobStates = ["waiting", "due", "running", "parked"] as const;

/** What was read last. */
interface Snapshot {
  readonly store?: Probed | undefined;
  readonly queues: readonly QueueSize[];
  readonly loads: ReadonlyMap<string, Load>;
}

/** Gauges: what is so at this moment. */
export function createLive(version: string) {
  let readings: Readings | undefined;
  let last: Snapshot = { queues: [], loads: new Map() };
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
      ...gatewayGauges(() => readings?.gateway()),
      ...snapshotGauges(() => last),
    ] satisfies Series[],
    /** Sets what is read at each rendering. */
    watch: (given: Readings) => {
      readings = given;
    },
    /** Reads what takes a while, before the others are read. */
    read: async () => {
      const [store, queues, loads] = await Promise.all([
        readings?.store(),
        countJobs(readings?.jobs),
        readLoads(readings?.loads ?? {}),
      ]);
      last = { store, queues, loads };
    },
  };
}

function gatewayGauges(gateway: Readings["gateway"]): readonly Series[] {
  /** Nothing is shown of a gateway that is not there yet. */
  const shown = (value: (state: GatewayState) => number | undefined) => (): readonly Gauged[] => {
    const state = gateway();
    const found = state === undefined ? undefined : value(state);
    return found === undefined ? [] : [[[], found]];
  };
  return [
    createGauge(
      { name: "greenroom_gateway_connected", help: "1 while Discord's gateway is connected." },
      () => [[[], Number(gateway()?.isConnected === true)]],
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
        help: "1 while nothing new is begun, because Discord refused too many requests.",
      },
      shown(({ isHeld }) => Number(isHeld)),
    ),
    createGauge(
      { name: "greenroom_guilds", help: "Servers that the bot is in." },
      shown(({ guilds }) => guilds),
    ),
  ];
}

function snapshotGauges(last: () => Snapshot): readonly Series[] {
  const loadsOf = (which: keyof Load) => (): readonly Gauged[] =>
    [...last().loads].map(([name, load]) => [[name], load[which]]);
  const probed = (value: (probe: Probed) => number) => (): readonly Gauged[] => {
    const { store } = last();
    return store === undefined ? [] : [[[], value(store)]];
  };
  return [
    createGauge(
      { name: "greenroom_queue_length", help: "What waits for its turn.", labels: ["queue"] },
      loadsOf("waiting"),
    ),
    createGauge(
      { name: "greenroom_under_way", help: "What is being worked on.", labels: ["queue"] },
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
          jobStates.map((state): Gauged => [[size.queue, state], size[state]]),
        ),
    ),
    createGauge(
      { name: "greenroom_store_up", help: "1 when the store took and gave back a row just now." },
      probed(({ isUp }) => Number(isUp)),
    ),
    createGauge(
      {
        name: "greenroom_store_ping_seconds",
        help: "How long the store took to write, read and remove a row.",
      },
      probed(({ ms }) => ms / 1000),
    ),
  ];
}

async function countJobs(count: Readings["jobs"]): Promise<readonly QueueSize[]> {
  if (count === undefined) return [];
  return withTimeout(count, { ms: patienceMs }).catch(() => []);
}

/** What can't be read now is left out. */
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
