import { setTimeout as delay } from "node:timers/promises";
import type { HttpOptions } from "../../src/http/index.ts";

/**
 * Waits that are `factor` times shorter, and a clock that runs as much faster, so that as many waits fit before a
 * deadline as in production.
 */
export function hurry(factor: number): Required<Pick<HttpOptions, "now" | "sleep">> {
  const start = Date.now();
  const began = performance.now();
  return {
    now: () => start + (performance.now() - began) * factor,
    sleep: (ms, signal) => delay(ms / factor, undefined, signal && { signal }),
  };
}
