import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "undici";
import { withTimeout } from "../clock.ts";
import { createDownload } from "./attachment.ts";
import { createOpen } from "./open.ts";
import { createRequest } from "./request.ts";
import { createBackOff } from "./retry.ts";
import type { Http } from "./types.ts";

export interface HttpOptions {
  /** Jitter of the waits; `Math.random` when absent. */
  readonly random?: () => number;
  /** Milliseconds since the epoch; `Date.now` when absent. */
  readonly now?: () => number;
  /** Waits between attempts; rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What is still under way at the end was asked by nobody who waits, and is not waited for longer. */
const graceMs = 500;

/** One pool for every service; whoever makes it closes it. */
export function createHttp(options: HttpOptions = {}): Http {
  let loading: Promise<Agent> | undefined;
  const agent = () => {
    loading ??= import("./agent.ts").then(({ createAgent }) => createAgent());
    return loading;
  };
  const services = {
    agent,
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
  };
  const request = createRequest(services);
  const { open, end } = createOpen(services);
  return {
    request,
    backOff: createBackOff(services),
    download: createDownload(request),
    open,
    warm: async () => void (await agent()),
    close: async () => {
      // A file that nobody reads on would be waited for.
      end();
      const pool = await loading;
      if (pool === undefined) return;
      await withTimeout(() => pool.close(), { ms: graceMs }).catch(() => undefined);
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
