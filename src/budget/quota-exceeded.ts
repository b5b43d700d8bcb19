import { type Facts, LimitError } from "../errors.ts";
import type { Bucket } from "./types.ts";

/** How the buckets are called before people. */
const bucketNames = {
  units: "daily units",
  searches: "searches of the day",
  uploads: "uploads of the day",
} as const satisfies Record<Bucket, string>;

interface Exceeded {
  readonly bucket: Bucket;
  readonly retryAt: Date;
  readonly facts?: Facts;
}

/** A bucket is empty until midnight: the same words whether the service said so or our own count. */
export function quotaExceeded(message: string, { bucket, retryAt, facts }: Exceeded): LimitError {
  return new LimitError(message, {
    code: "quota_exceeded",
    hint: `The ${bucketNames[bucket]} are used up. They start anew at midnight in Los Angeles.`,
    facts: { ...facts, bucket },
    retryAt,
  });
}
