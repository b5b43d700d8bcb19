import type { MethodSpec } from "../../video/index.ts";
import { ApiError, fixedError } from "./api-error.ts";

type ApiQuotaBucket = MethodSpec["bucket"];

/** What a project may spend a day: docs/services/youtube.md#quota */
const daily = { units: 10_000, searches: 100, uploads: 100 } as const satisfies Record<
  ApiQuotaBucket,
  number
>;

/** The project of the stand-in's own key. */
export const mainProject = "main";

const pacificDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });
const hourMs = 3_600_000;

/** Daily budgets of every project, full again at midnight in Los Angeles. */
export interface Quota {
  /** Takes the method's cost, or refuses; a refused request takes nothing more. */
  spend(methodSpec: MethodSpec, project?: string): void;
  /** Spent today. */
  spent(bucket: ApiQuotaBucket, project?: string): number;
  /** Spends the rest of today's budget; `spent` is then the whole of it. */
  exhaust(bucket: ApiQuotaBucket, project?: string): void;
  /** When the budgets are full again. */
  resetsAt(): number;
  /** Gives every project its whole day back. */
  refill(): void;
}

type SpentByBucket = Record<ApiQuotaBucket, number>;

const metrics = { searches: "Search Queries", uploads: "Video Uploads" } as const;

export function createQuota(now: () => number): Quota {
  const projects = new Map<string, SpentByBucket>();
  let day = "";
  let dayKnownUntil = 0;

  function spentBy(project: string): SpentByBucket {
    const time = now();
    // Formatting a date costs more than the rest of a request; zones change at full hours.
    if (time >= dayKnownUntil || time < dayKnownUntil - hourMs) {
      dayKnownUntil = Math.floor(time / hourMs) * hourMs + hourMs;
      const today = pacificDay.format(time);
      if (today !== day) projects.clear();
      day = today;
    }
    const spent = projects.get(project) ?? { units: 0, searches: 0, uploads: 0 };
    projects.set(project, spent);
    return spent;
  }

  return {
    spend({ bucket, cost }, project = mainProject) {
      const spent = spentBy(project);
      if (spent[bucket] + cost <= daily[bucket]) {
        spent[bucket] += cost;
        return;
      }
      if (bucket === "units") throw fixedError("quotaExceeded");
      // Searches and uploads answer 429; only the message says that the day's budget is used up.
      throw new ApiError(429, {
        reason: "rateLimitExceeded",
        message: `Quota exceeded for quota metric '${metrics[bucket]}' and limit '${metrics[bucket]} per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.`,
      });
    },
    spent: (bucket, project = mainProject) => spentBy(project)[bucket],
    exhaust: (bucket, project = mainProject) => {
      spentBy(project)[bucket] = daily[bucket];
    },
    resetsAt: () => {
      const today = pacificDay.format(now());
      let hour = Math.floor(now() / hourMs) * hourMs;
      while (pacificDay.format(hour) === today) hour += hourMs;
      return hour;
    },
    refill: () => projects.clear(),
  };
}
