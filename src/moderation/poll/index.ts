/** Reads waiting comments from YouTube into the queue. */

export { createPoll, type Poll } from "./poll.ts";
export { createPollJob } from "./poll-job.ts";
