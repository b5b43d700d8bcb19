/** What the service tells of waiting comments, taken into the queue. */

export { createPoll, type Poll, type PollDeps } from "./poll.ts";
export { createPollJob, type PollJobDeps } from "./poll-job.ts";
