import type { Job, JobData, QueueOptions } from "../jobs/index.ts";
import type { FeedsDeps } from "./deps.ts";
import type { FeedRef } from "./feed-records.ts";

/** What is done for a feed; each of it is one job. */
const queues = {
  look: "feeds.look",
  announce: "feeds.announce",
  subscribe: "feeds.subscribe",
} as const;

export type FeedQueue = keyof typeof queues;

export type FeedJobs = ReturnType<typeof createFeedJobs>;

interface FeedJobChange {
  readonly dueAt?: number;
  readonly data?: JobData;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

const options = {
  look: {
    ...{ concurrency: 4, perServer: 2, timeoutMs: 2 * minuteMs },
    waitMs: { first: minuteMs, longest: 10 * minuteMs },
  },
  announce: {
    ...{ concurrency: 4, perServer: 2, timeoutMs: 10 * minuteMs },
    waitMs: { first: minuteMs, longest: 10 * minuteMs },
  },
  // The hub asks back for each subscription, and its questions count as one visitor's.
  subscribe: { concurrency: 1, perServer: 1, timeoutMs: minuteMs },
} as const satisfies Record<FeedQueue, QueueOptions>;

export function createFeedJobs({ jobs }: Pick<FeedsDeps, "jobs">) {
  const keyOf = ({ guildId, feedId }: FeedRef) => `${guildId}:${feedId}`;
  return {
    /** Brings that job of a feed forward, or begins it; part of the transaction that is under way. */
    put: (queue: FeedQueue, ref: FeedRef, change?: FeedJobChange) =>
      jobs.put({ queue: queues[queue], key: keyOf(ref), guildId: ref.guildId, ...change }),
    handle: (queue: FeedQueue, work: (ref: FeedRef, job: Job) => Promise<number | undefined>) =>
      jobs.handle(queues[queue], options[queue], (job) => {
        const [guildId = "", feedId = ""] = job.key.split(":");
        return work({ guildId, feedId }, job);
      }),
    async removeAll(ref: FeedRef): Promise<void> {
      for (const queue of Object.values(queues)) await jobs.remove(queue, keyOf(ref));
    },
  };
}
