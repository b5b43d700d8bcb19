import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "undici";
import { withTimeout } from "../clock.ts";
import { createDownload } from "./attachment.ts";
import { createOpenFile } from "./open-file.ts";
import { lookUpPublic } from "./public-addresses.ts";
import { createFetchPublic } from "./public-file.ts";
import { createRequest } from "./request.ts";
import { createBackOff } from "./retry.ts";
import type { Http } from "./types.ts";

export interface HttpOptions {
  /** From 0 to 1, for the jitter of waits; `Math.random` when absent. */
  readonly random?: () => number;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Waits between attempts; rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Origins that `fetchPublic` fetches from although they are not public, such as the sandbox's; none when absent. */
  readonly publicOrigins?: readonly string[] | undefined;
}

/** Longest wait for a connection. A host that has not answered by then will not answer at all. */
const connectTimeoutMs = 5_000;
/** Sockets to one host; more requests wait their turn. */
const maxConnections = 64;
const poolOptions: Agent.Options = {
  // 1 means one request at a time on a socket; 0 would switch keep-alive off as well.
  pipelining: 1,
  connections: maxConnections,
  connect: { minVersion: "TLSv1.2", timeout: connectTimeoutMs },
};
/** For the public internet: a few sockets, and the address is checked as it is connected to. */
const publicPoolOptions: Agent.Options = {
  ...poolOptions,
  connections: 4,
  keepAliveTimeout: 1_000,
  connect: { minVersion: "TLSv1.2", timeout: connectTimeoutMs, lookup: lookUpPublic },
};
/** How long `close` waits for requests that are under way. Nobody needs their results any more. */
const closeGraceMs = 500;

/** One connection pool for every service. Whoever creates it closes it. */
export function createHttp(options: HttpOptions = {}): Http {
  const pools = new Map<Agent.Options, Promise<Agent>>();
  const poolOf = (made: Agent.Options) => {
    const pool = pools.get(made) ?? import("undici").then(({ Agent }) => new Agent(made));
    pools.set(made, pool);
    return pool;
  };
  const tools = {
    agent: () => poolOf(poolOptions),
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
      request: createRequest({ ...tools, agent: () => poolOf(publicPoolOptions) }),
      trusted: request,
      origins: options.publicOrigins ?? [],
      now: tools.now,
    }),
    open,
    warm: async () => void (await tools.agent()),
    close: async () => {
      // Otherwise the pool would wait for files that nobody reads any more.
      end();
      const opened = await Promise.all(pools.values());
      await Promise.all(
        opened.map(async (pool) => {
          await withTimeout(() => pool.close(), { timeoutMs: closeGraceMs }).catch(() => undefined);
          await pool.destroy();
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
