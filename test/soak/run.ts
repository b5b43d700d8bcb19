/** `npm run soak -- [--json] [--only PREFIX]`: campaigns that take longer than a test may, with many seeds. */
import { report } from "../bench/report.ts";

// Exits on these signals, so that what the run has started ends as well.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const exitCode = await report({
  uploads: () => import("./uploads.ts"),
  faults: () => import("./faults.ts"),
  bytes: () => import("./bytes.ts"),
  fairness: () => import("./fairness.ts"),
  isolation: () => import("./isolation.ts"),
  leaks: () => import("./leaks.ts"),
  keys: () => import("./keys.ts"),
  refresh: () => import("./refresh.ts"),
  crashes: () => import("./crashes.ts"),
  announcements: () => import("./announcements.ts"),
  streams: () => import("./streams.ts"),
  store: () => import("./store.ts"),
  jobs: () => import("./jobs.ts"),
  moderation: () => import("./moderation.ts"),
  stall: () => import("./stall.ts"),
  slow: () => import("./slow.ts"),
  pictures: () => import("./pictures.ts"),
  double: () => import("./double.ts"),
  slope: () => import("./slope.ts"),
  processes: () => import("./processes.ts"),
});

// Commands that were never answered would keep the process alive.
process.exit(exitCode);
