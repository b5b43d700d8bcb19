import { readFileSync } from "node:fs";

/** What one job took in a separate process. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** More than the idle process has. */
  readonly peakMiB: number;
  readonly bytes: number;
}

/** Runs the job once to find the peak and to warm up, as a worker in use is warm, then once more by the clock. */
export async function costOf(run: () => Promise<Buffer>): Promise<Cost> {
  const idle = process.memoryUsage.rss();
  await run();
  const peak = peakMiB() - idle / 1_048_576;
  const start = performance.now();
  const before = process.cpuUsage();
  const { length: bytes } = await run();
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - start;
  return { cpuMs: (user + system) / 1_000, wallMs, peakMiB: peak, bytes };
}

/** Of this process alone: the kernel's other figure (`maxRSS`) starts from the parent process's. */
function peakMiB(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1_024;
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kib) / 1_024;
}
