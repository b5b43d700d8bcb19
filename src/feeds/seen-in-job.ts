import type { JobData } from "../jobs/index.ts";
import type { Seen } from "./release.ts";

/** What is as old as this may have been taken back since, and is read again before it is announced. */
const freshMs = 60_000;

interface SeenInJob {
  readonly readAt: number;
  readonly videos: readonly Seen[];
}

/** Handed from the look to the job that announces, so that the service is not asked twice. */
export function asJobData(readAt: number, seen: ReadonlyMap<string, Seen>): JobData {
  const data: SeenInJob = {
    readAt,
    videos: [...seen.values()].filter(({ state }) => state === "out"),
  };
  // Made of texts, numbers and flags alone, and what is absent is left out.
  return data as unknown as JobData;
}

export function freshIn(data: JobData, now: number): ReadonlyMap<string, Seen> {
  // Jobs of this queue have nothing else.
  const { readAt, videos } = (data ?? { readAt: 0, videos: [] }) as unknown as SeenInJob;
  const fresh = now - readAt < freshMs ? videos : [];
  return new Map(fresh.map((seen) => [seen.video.id, seen]));
}
