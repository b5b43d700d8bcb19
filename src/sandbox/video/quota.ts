import type { MethodSpec } from "../../video/index.ts";
import { Refusal } from "./refusal.ts";

type Bucket = MethodSpec["bucket"];

/** What a project may spend a day (facts/video-api.json, limits.quota). */
const daily = { units: 10_000, searches: 100, uploads: 100 } as const satisfies Record<
  Bucket,
  number
>;

const pacificDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });

/** Daily budgets, full again at midnight in Los Angeles. */
export interface Quota {
  /** Takes the method's cost, or refuses; a refused request takes nothing more. */
  spend(row: MethodSpec): void;
  /** Spent today. */
  spent(bucket: Bucket): number;
}

export function createQuota(now: () => number): Quota {
  let day = "";
  let spent: Record<Bucket, number> = { units: 0, searches: 0, uploads: 0 };

  function renew(): void {
    const today = pacificDay.format(now());
    if (today === day) return;
    day = today;
    spent = { units: 0, searches: 0, uploads: 0 };
  }

  return {
    spend({ bucket, cost }) {
      renew();
      if (spent[bucket] + cost > daily[bucket]) throw refusals[bucket]();
      spent[bucket] += cost;
    },
    spent(bucket) {
      renew();
      return spent[bucket];
    },
  };
}

const refusals = {
  units: () =>
    new Refusal(403, {
      reason: "quotaExceeded",
      message:
        'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
      domain: "youtube.quota",
    }),
  searches: () => perDay("Search Queries"),
  uploads: () => perDay("Video Uploads"),
} as const satisfies Record<Bucket, () => Refusal>;

/** The buckets of their own answer 429, and only the message tells that it is not a matter of pace. */
function perDay(metric: string): Refusal {
  return new Refusal(429, {
    reason: "rateLimitExceeded",
    message: `Quota exceeded for quota metric '${metric}' and limit '${metric} per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.`,
    domain: "global",
  });
}
