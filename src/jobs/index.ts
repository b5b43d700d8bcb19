/** Durable jobs: when they are due, which process runs them, and what happens when they fail. */

export { createJobs, type Jobs } from "./create-jobs.ts";
export { inspectJobs } from "./job-table.ts";
export type * from "./types.ts";
