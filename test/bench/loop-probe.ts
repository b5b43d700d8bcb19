/** Preloaded into a measured process: on SIGUSR2 it prints its longest event-loop delay since the last time. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on("SIGUSR2", () => {
  console.log(JSON.stringify({ message: "loop", maxMs: delay.max / 1e6 }));
  delay.reset();
});
