import { createHistogram, type monitorEventLoopDelay } from "node:perf_hooks";
import { expect, it } from "vitest";
import { watchEventLoop } from "../../../src/web/metrics/create-metrics.ts";

it("gives the longest delay since it was last read, without the timer's own 20 ms", () => {
  const delays = createHistogram();
  const watched = Object.assign(delays, { enable: () => true, disable: () => true });
  // A real event loop monitor has no `record`, but has `enable` and `disable`.
  const loop = watchEventLoop(watched as unknown as ReturnType<typeof monitorEventLoopDelay>);
  const longest = () => loop.read().find(({ quantile }) => quantile === 1)?.seconds;

  delays.record(320_000_000);
  const held = longest();
  const free = longest();
  loop.close();

  expect(held).toBeCloseTo(0.3, 2);
  expect(free).toBe(0);
});
