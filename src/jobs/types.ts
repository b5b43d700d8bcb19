/** Anything that JSON holds. */
export type JobData =
  | null
  | boolean
  | number
  | string
  | readonly JobData[]
  | { readonly [name: string]: JobData };

/**
 * Durable jobs, stored as rows. They survive their process: if it dies, another process continues its jobs within 20 seconds.
 */
export interface Jobs {
  /** Registers the handler of a queue. Call it once per queue, before `start`. */
  handle(queue: string, options: QueueOptions, work: JobHandler): void;
  /**
   * Adds a job, or brings an existing one with that key forward; takes part in the current database transaction, if any.
   * A running job runs again afterwards, when it is due. A parked job starts again.
   * @throws ServiceError `store_unavailable`; `guild_erased` where its server is gone.
   */
  put(job: NewJob): Promise<void>;
  /** The data of a job that waits, runs or is parked; undefined if there is none. @throws ServiceError `store_unavailable`. */
  read(queue: string, key: string): Promise<JobData | undefined>;
  /** Removes a job; a running one is stopped by its signal and not repeated. Returns whether it existed. */
  remove(queue: string, key: string): Promise<boolean>;
  /**
   * Id of this process, as holder of jobs. Where others may take it for dead, because it stood still or could not renew its
   * locks, reading this stops all that it runs, and answers a new id, which what begins from now on has.
   */
  readonly processId: string;
  /**
   * Adds a job that this process holds without running it: while it lives nobody runs it; once it is dead, or its jobs are
   * closed, another process runs the queue's handler. The signal aborts with a LostError, before anything else that runs here,
   * where others may take this process for dead: it was paused or cut off from the database for so long.
   * @throws LostError while another process has it; ServiceError `store_unavailable`.
   */
  hold(job: Pick<NewJob, "queue" | "key">): Promise<Pick<Job, "signal">>;
  /** How many jobs of a queue run or are held, in all processes; cheaper than `counts`. @throws ServiceError `store_unavailable`. */
  countHeld(queue: string): Promise<number>;
  /** Starts to run jobs of the queues that have a handler here. */
  start(): void;
  /** How many jobs there are, by queue. @throws ServiceError `store_unavailable`. */
  counts(): Promise<readonly QueueCounts[]>;
  /** Jobs that failed for good, the latest first, at most 100. @throws ServiceError `store_unavailable`. */
  parked(): Promise<readonly ParkedJob[]>;
  /** Restarts parked jobs: one, those of a queue, or all. Returns how many. @throws ServiceError `store_unavailable`. */
  retry(queue?: string, key?: string): Promise<number>;
  /** Starts no more jobs and stops running ones by their signals; resolves when none run, or after 2.5 seconds. */
  close(): Promise<void>;
}

export interface QueueOptions {
  /** How many run at once in this process. */
  readonly concurrency: number;
  /** How many of them for one server. */
  readonly perServer: number;
  /** Longest time for a run; then its signal aborts and it counts as failed. If it runs on for 30 seconds it is abandoned. */
  readonly timeoutMs: number;
  /** A job is parked after this many failures in a row; never when absent. */
  readonly maxTries?: number;
  /** Waits after failures: doubled each time, with jitter. One second to ten minutes when absent. */
  readonly waitMs?: { readonly first: number; readonly longest: number };
}

export interface NewJob {
  readonly queue: string;
  /** There is one job per key. A key consists of ids and colons, at most 200 characters. */
  readonly key: string;
  /** The server it belongs to: it is erased with the server, and servers take turns. When absent, an existing job keeps its server. */
  readonly guildId?: string | undefined;
  /** Replaces the data of an existing job; unchanged when absent. */
  readonly data?: JobData | undefined;
  /** Milliseconds since the epoch; at once when absent. An existing job keeps its own time if that is earlier. */
  readonly dueAt?: number | undefined;
  /** An existing job gets this time even if its own is earlier. */
  readonly isPostponed?: boolean | undefined;
}

export interface Job {
  readonly key: string;
  readonly guildId: string | undefined;
  readonly data: JobData;
  readonly dueAt: number;
  /** How often in a row it has failed. */
  readonly failures: number;
  /** Aborts when the job has to end: it timed out, was removed, another process has it, or this process stops. */
  readonly signal: AbortSignal;
}

/**
 * Runs a job. Everything that a server's job writes belongs to that server, and writing fails once the server is erased. Answers
 * when the job is due again, in milliseconds since the epoch, or undefined if it is done. An error counts as a failure.
 */
export type JobHandler = (job: Job) => Promise<number | undefined>;

export interface QueueCounts {
  readonly queue: string;
  readonly waiting: number;
  /** How many of the waiting ones are due. */
  readonly due: number;
  readonly running: number;
  readonly parked: number;
}

export interface ParkedJob {
  readonly queue: string;
  readonly key: string;
  readonly guildId: string | undefined;
  readonly failure: string;
  /** Milliseconds since the epoch. */
  readonly parkedAt: number;
}
