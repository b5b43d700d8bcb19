/** Preloaded into a measured process: on SIGUSR2 it collects garbage and prints what is left. */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  // The most that the process ever had, in bytes.
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ message: "memory", heapUsed, rss, peak }));
});
