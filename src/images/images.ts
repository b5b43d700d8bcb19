import type { Images } from "./types.ts";

/** Where a worker's death is noted. */
export interface ImagesLog {
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

export interface CreateImagesOptions {
  /** Child processes at most; each does one job at a time. One fewer than the cores when absent, at least one. */
  readonly workers?: number;
  /** A child whose resident memory passes this is ended: 1.5 GiB when absent. */
  readonly maxWorkerBytes?: number;
  /** A job that takes longer is ended with its child: 60 s when absent. */
  readonly jobMs?: number;
  /** What all running jobs together may need by estimate; the others wait in order: 1.5 GiB when absent. */
  readonly budgetBytes?: number;
  /** A child without work ends after this: 60 s when absent. */
  readonly idleMs?: number;
  readonly log?: ImagesLog;
}

/** Starts nothing: the first job starts the first child. */
export function createImages(_options: CreateImagesOptions = {}): Images {
  throw new Error("not built yet");
}
