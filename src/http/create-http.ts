import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "undici";
import { withTimeout } from "../clock.ts";
import { createDownload } from "./attachment.ts";
import { createOpenFile } from "./open-file.ts";
import { lookUpPublic } from "./public-addresses.ts";
import { createFetchPublic } from "./public-file.ts";
import { createRequest } from "./request.ts";
import { createBackOff } from "./retry.ts";
import type { Http, HttpRequest } from "./types.ts";

export interface HttpOptions {
  /** From 0 to 1, for the jitter of waits; `Math.random` when absent. */
  readonly random?: () => number;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Waits between attempts; rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** What stands in for the public internet in `fetchPublic`, for a sandbox: it gets the host as the first part of the path. */
  readonly publicStandIn?: string | undefined;
}

/** Longest wait for a connection. A host that has not answered by then will not answer at all. */
const connectTimeoutMs = 5_000;
/** Sockets to one host; more requests wait their turn. */
const maxConnections = 64;
const connect = { minVersion: "TLSv1.2", timeout: connectTimeoutMs } as const;
// 1 means one request at a time on a socket; 0 would switch keep-alive off as well.
const pool = { pipelining: 1, connections: maxConnections } as const;
const poolOptions = {
  any: { ...pool, connect },
  // Many hosts, each asked seldom.
  public: { ...pool, keepAliveTimeout: 1_000, connect: { ...connect, lookup: lookUpPublic } },
} as const satisfies Record<string, Agent.Options>;
/** How long `close` waits for requests that are under way. Nobody needs their results any more. */
const closeGraceMs = 500;

/** One connection pool for every service. Whoever creates it closes it. */
export function createHttp(options: HttpOptions = {}): Http {
  const loading: Partial<Record<"any" | "public", Promise<Agent>>> = {};
  const tools = {
    agent: (reach: HttpRequest["reach"] | "any" = "any") => {
      loading[reach] ??= import("undici").then(({ Agent }) => new Agent(poolOptions[reach]));
      return loading[reach];
    },
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
  };
  const request = createRequest(tools);
  const { open, end } = createOpenFile(tools);
  return {
    request,
    backOff: createBackOff(tools),
    download: createDownload(request),
    fetchPublic: createFetchPublic({
      request,
      standIn: options.publicStandIn,
      now: tools.now,
    }),
    open,
    warm: async () => void (await tools.agent()),
    close: async () => {
      // Otherwise the pool would wait for files that nobody reads any more.
      end();
      const pools = await Promise.all(Object.values(loading));
      await Promise.all(
        pools.map(async (each) => {
          await withTimeout(() => each.close(), { timeoutMs: closeGraceMs }).catch(() => undefined);
          await each.destroy();
        }),
      );
    },
  };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
