/** Messages of the queue: sent once, and kept as what they show. */

export { type AnnounceJobDeps, createAnnounceJob } from "./announce-job.ts";
