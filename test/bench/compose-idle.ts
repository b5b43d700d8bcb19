/** Does nothing until its input closes, then prints its longest event-loop delay in ms: the machine's own share. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.stdin.resume().on("end", () => {
  delay.disable();
  console.log(delay.max / 1e6);
});
