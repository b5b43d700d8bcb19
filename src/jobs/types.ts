import type { Clock } from "../clock.ts";
import type { Database } from "../database/index.ts";
import type { Log } from "../log.ts";

export interface JobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** How often it looks for jobs of other processes; half a second when absent. */
  readonly lookEveryMs?: number;
  /** How often it renews the locks of running jobs; 4 seconds when absent. */
  readonly renewEveryMs?: number;
  /**
   * How long a lock lasts. Then the process counts as dead, and others take its jobs; 15 seconds when absent. By its own clock
   * it counts as dead after two thirds of that.
   */
  readonly lockMs?: number;
  /** Milliseconds that never jump; the process's own when absent. */
  readonly elapsed?: () => number;
  /** Whether no other process can use the database: then locks of others are those of dead ones, and end at the start. */
  readonly isAlone?: boolean;
}

/** Anything that JSON holds. */
export type JobData =
  | null
  | boolean
  | number
  | string
  | readonly JobData[]
  | { readonly [name: string]: JobData };

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
