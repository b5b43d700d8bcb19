import { monitorEventLoopDelay } from "node:perf_hooks";
import { createGauge } from "./series.ts";

const resolutionMs = 20;
const quantiles = [0.5, 0.9, 0.99, 1] as const;

/** How late timers come, watched from now on. What is told counts since it was told last. Delays in nanoseconds. */
export function watchEventLoop(delays = monitorEventLoopDelay({ resolution: resolutionMs })) {
  delays.enable();
  const about = {
    name: "greenroom_event_loop_delay_seconds",
    help: "How late timers come, since this was last read; quantile 1 is the longest delay.",
    labels: ["quantile"],
  };
  return {
    series: createGauge(about, () => {
      const told = quantiles.map((quantile) => {
        const nanoseconds = delays.count === 0 ? 0 : delays.percentile(quantile * 100);
        // It measures from one timer to the next, of which the timer's own interval is no delay.
        return [[`${quantile}`], Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3)] as const;
      });
      delays.reset();
      return told;
    }),
    close: () => void delays.disable(),
  };
}
