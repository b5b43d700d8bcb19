import { within } from "../health/within.ts";
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

/** Gauges: what is so at this moment. */
export function createLive(version: string) {
  let readings: Readings | undefined;
  let store: Probed | undefined;
  let queues: readonly QueueSize[] = [];
  let loads: ReadonlyMap<string, Load> = new Map();

  /** Nothing is shown of a gateway that is not there yet. */
  const gateway = (value: (state: GatewayState) => number | undefined) => (): readonly Gauged[] => {
    const state = readings?.gateway();
    const found = state === undefined ? undefined : value(state);
    return found === undefined ? [] : [[[], found]];
  };
  const loadsOf = (which: "waiting" | "running") => (): readonly Gauged[] =>
    [...loads].map(([name, load]) => [[name], load[which]]);
  const probed = (value: (probe: Probed) => number) => (): readonly Gauged[] =>
    store === undefined ? [] : [[[], value(store)]];

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
      createGauge(
        { name: "greenroom_gateway_connected", help: "1 while Discord's gateway is connected." },
        () => [[[], Number(readings?.gateway()?.isConnected === true)]],
      ),
      createGauge(
        {
          name: "greenroom_gateway_ping_seconds",
          help: "Round trip of the gateway's last heartbeat.",
        },
        gateway(({ pingMs }) => (pingMs === undefined ? undefined : pingMs / 1000)),
      ),
      createGauge(
        {
          name: "greenroom_gateway_held",
          help: "1 while nothing new is begun, because Discord refused too many requests.",
        },
        gateway(({ isHeld }) => Number(isHeld)),
      ),
      createGauge(
        { name: "greenroom_guilds", help: "Servers that the bot is in." },
        gateway(({ guilds }) => guilds),
      ),
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
          queues.flatMap((size) =>
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
    ] satisfies Series[],
    /** Sets what is read at each rendering. */
    watch: (given: Readings) => {
      readings = given;
    },
    /** Reads what takes a while, before the others are read. */
    read: async () => {
      const count = readings?.jobs;
      const counted = count === undefined ? [] : within(patienceMs, count);
      [store, queues = [], loads] = await Promise.all([
        readings?.store(),
        counted,
        readLoads(readings?.loads ?? {}),
      ]);
    },
  };
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
