/**
 * Preloaded into a measured process: on SIGUSR2 it prints how long the event loop was held up since the last time, at
 * most and in 99 of 100 cases. It measures by the clock, which includes what the machine gave to other processes, and
 * by the CPU that the main thread used between two ticks of a timer of 1 ms, which is this process alone.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let last = process.threadCpuUsage();
let mostMicros = 0;
setInterval(() => {
  const now = process.threadCpuUsage();
  mostMicros = Math.max(mostMicros, now.user + now.system - last.user - last.system);
  last = now;
}, 1).unref();

process.on("SIGUSR2", () => {
  const [maxMs, p99Ms] = [delay.max / 1e6, delay.percentile(99) / 1e6];
  console.log(JSON.stringify({ message: "loop", maxMs, p99Ms, cpuMs: mostMicros / 1000 }));
  delay.reset();
  mostMicros = 0;
});
