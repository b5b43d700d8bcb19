import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "undici";
import { withTimeout } from "../clock.ts";
import { createDownload } from "./attachment.ts";
import { createOpenFile } from "./open-file.ts";
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
/** How long `close` waits for requests that are under way. Nobody needs their results any more. */
const closeGraceMs = 500;

/** One connection pool for every service. Whoever creates it closes it. */
export function createHttp(options: HttpOptions = {}): Http {
  let loading: Promise<Agent> | undefined;
  const tools = {
    agent: () => {
      loading ??= import("undici").then(({ Agent }) => new Agent(poolOptions));
      return loading;
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
    open,
    warm: async () => void (await tools.agent()),
    close: async () => {
      // Otherwise the pool would wait for files that nobody reads any more.
      end();
      const pool = await loading;
      if (pool === undefined) return;
      await withTimeout(() => pool.close(), { timeoutMs: closeGraceMs }).catch(() => undefined);
      await pool.destroy();
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
