/** What the service tells of waiting comments, taken into the queue. */

export {
  createPoll,
  type Poll,
  type Polled,
  type PollMemory,
  type PollParts,
  type Waiting,
} from "./poll.ts";
