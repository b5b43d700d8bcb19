import { minuteMs } from "../clock.ts";
import type { Job, JobData, Jobs, QueueOptions } from "../jobs/index.ts";
import type { FeedRef } from "./feed-records.ts";
import type { SeenRelease } from "./release.ts";

/** The kinds of work for a feed; a feed has one job of each. */
const queues = {
  poll: "feeds.look",
  announce: "feeds.announce",
  subscribe: "feeds.subscribe",
} as const;

/** Reads the awaited and followed videos of all feeds of a server. */
const followQueue = "feeds.follow";

type FeedQueue = keyof typeof queues;

export type FeedJobs = ReturnType<typeof createFeedJobs>;

interface FeedJobChange {
  readonly dueAt?: number;
  readonly data?: JobData;
}

const waitMs = { first: minuteMs, longest: 10 * minuteMs };

const options = {
  poll: { concurrency: 4, perServer: 2, timeoutMs: 2 * minuteMs, waitMs },
  announce: { concurrency: 4, perServer: 2, timeoutMs: 10 * minuteMs, waitMs },
  // The hub verifies each subscription with a request of its own, and all of these count as one visitor's.
  subscribe: { concurrency: 1, perServer: 1, timeoutMs: minuteMs },
} as const satisfies Record<FeedQueue, QueueOptions>;
const followOptions: QueueOptions = {
  concurrency: 4,
  perServer: 1,
  timeoutMs: 2 * minuteMs,
  waitMs,
};

export function createFeedJobs(jobs: Pick<Jobs, "handle" | "put" | "remove">) {
  const jobKey = ({ guildId, feedId }: FeedRef) => `${guildId}:${feedId}`;
  return {
    /** Makes that job of a feed due now, or creates it; part of the transaction that is under way. */
    put: (queue: FeedQueue, ref: FeedRef, change?: FeedJobChange) =>
      jobs.put({ queue: queues[queue], key: jobKey(ref), guildId: ref.guildId, ...change }),
    handle: (queue: FeedQueue, work: (ref: FeedRef, job: Job) => Promise<number | undefined>) =>
      jobs.handle(queues[queue], options[queue], (job) => {
        const [guildId = "", feedId = ""] = job.key.split(":");
        return work({ guildId, feedId }, job);
      }),
    /** Makes the server's look at followed videos due by then; part of the transaction that is under way. */
    follow: (guildId: string, dueAt: number) =>
      jobs.put({ queue: followQueue, key: guildId, guildId, dueAt }),
    handleFollow: (work: (guildId: string, job: Job) => Promise<number | undefined>) =>
      jobs.handle(followQueue, followOptions, (job) => work(job.key, job)),
    async removeAll(ref: FeedRef): Promise<void> {
      for (const queue of Object.values(queues)) await jobs.remove(queue, jobKey(ref));
    },
  };
}

/** A video that was read longer ago may be gone by now, so it is read again before it is announced. */
const freshMs = minuteMs;

interface SeenInJob {
  readonly readAt: number;
  readonly videos: readonly SeenRelease[];
}

/** Passed from the poll to the job that announces, so that YouTube is not asked twice. */
export function toJobData(readAt: number, seen: ReadonlyMap<string, SeenRelease>): JobData {
  const data: SeenInJob = {
    readAt,
    videos: [...seen.values()].filter(({ state }) => state === "out"),
  };
  // Only texts, numbers and flags; absent fields are left out.
  return data as unknown as JobData;
}

export function readFresh(data: JobData, now: number): ReadonlyMap<string, SeenRelease> {
  // Jobs of this queue have no other data.
  const { readAt, videos } = (data ?? { readAt: 0, videos: [] }) as unknown as SeenInJob;
  const fresh = now - readAt < freshMs ? videos : [];
  return new Map(fresh.map((seen) => [seen.video.id, seen]));
}
