/** Durable work: what is due when, who does it, and what happens when it fails. */

export { createSqliteJobs as createJobs } from "./sqlite-jobs.ts";
export type * from "./types.ts";
