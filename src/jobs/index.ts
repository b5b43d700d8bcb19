/** Durable work: what is due when, who does it, and what happens when it fails. */

export { createJobs, type JobsDeps } from "./create-jobs.ts";
export { inspectJobs } from "./job-table.ts";
export type * from "./types.ts";
