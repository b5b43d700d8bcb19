/** Anything that JSON holds. */
export type JobData =
  | null
  | boolean
  | number
  | string
  | readonly JobData[]
  | { readonly [name: string]: JobData };

/**
 * Durable work: rows that say what is to be done and when. Jobs survive their process, and those of one that died go on
 * in another within 20 seconds.
 */
export interface Jobs {
  /** Says how a queue's jobs are done. Before `start`, once a queue. */
  handle(queue: string, options: QueueOptions, work: JobHandler): void;
  /**
   * Makes a job, or brings the one of that key forward; part of the database transaction that is under way, if one is.
   * A job that runs is due again then, once it is over. A parked one begins anew.
   * @throws ServiceError `store_unavailable`; `guild_erased` where its server is gone.
   */
  put(job: NewJob): Promise<void>;
  /** Takes a job back; one that runs is told by its signal, and is not repeated. Answers whether there was one. */
  remove(queue: string, key: string): Promise<boolean>;
  /** Begins to do jobs of the queues that are handled here. */
  start(): void;
  /** How many jobs there are, by queue. @throws ServiceError `store_unavailable`. */
  counts(): Promise<readonly QueueCounts[]>;
  /** What failed for good, the latest first, at most 100. @throws ServiceError `store_unavailable`. */
  parked(): Promise<readonly ParkedJob[]>;
  /** Begins parked jobs anew: one, a queue's, or all. Answers how many. @throws ServiceError `store_unavailable`. */
  retry(queue?: string, key?: string): Promise<number>;
  /** Begins nothing more and ends what runs by its signal; resolves when nothing runs, or after 2.5 seconds. */
  close(): Promise<void>;
}

export interface QueueOptions {
  /** How many run at once in this process. */
  readonly concurrency: number;
  /** How many of them for one server. */
  readonly perServer: number;
  /** Longest that one may run; its signal ends it then, and it counts as failed. What goes on for 30 seconds more is given up. */
  readonly timeoutMs: number;
  /** It is parked after so many failures in a row; never where absent. */
  readonly mostTries?: number;
  /** Waits after failures: doubled each time, with jitter. A second to ten minutes where absent. */
  readonly waitMs?: { readonly first: number; readonly longest: number };
}

export interface NewJob {
  readonly queue: string;
  /** One job a key. Made of ids and colons, at most 200 characters. */
  readonly key: string;
  /** Whose it is: it goes with the server, and servers take turns. A job that is there keeps its server where absent. */
  readonly guildId?: string | undefined;
  /** Takes the place of what a waiting job of that key has; left as it is where absent. */
  readonly data?: JobData | undefined;
  /** Milliseconds since the epoch; at once where absent. A waiting job keeps its own time where that is earlier. */
  readonly dueAt?: number | undefined;
  /** A waiting job gets this time even where its own is earlier. */
  readonly isPostponed?: boolean | undefined;
}

export interface Job {
  readonly key: string;
  readonly guildId: string | undefined;
  readonly data: JobData;
  readonly dueAt: number;
  /** How often in a row it failed before. */
  readonly failures: number;
  /** Aborted when it has to end: its time is over, it was taken back, another process has it, or this one stops. */
  readonly signal: AbortSignal;
}

/**
 * Does a job; for a server's job all that it writes belongs to that server, and fails once it is erased. Answers when it is
 * due again, in milliseconds since the epoch, or undefined when it is over. What it throws counts as a failure.
 */
export type JobHandler = (job: Job) => Promise<number | undefined>;

export interface QueueCounts {
  readonly queue: string;
  readonly waiting: number;
  /** Of those, how many are due by now. */
  readonly due: number;
  readonly running: number;
  readonly parked: number;
}

export interface ParkedJob {
  readonly queue: string;
  readonly key: string;
  readonly guildId: string | undefined;
  /** Code of the error that it failed with last. */
  readonly failure: string;
  /** Milliseconds since the epoch. */
  readonly parkedAt: number;
}
