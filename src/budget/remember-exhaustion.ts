import { quotaResetAfter } from "./calendar.ts";
import { createQuotaExceededError } from "./refuse-over.ts";
import type { QuotaBucket, SpendingMeter } from "./types.ts";

/** The simplest meter: it refuses nothing until YouTube says that a bucket is empty, and then until its reset. */
export function rememberExhaustion(now: () => number): SpendingMeter {
  const emptyUntil: { [Name in QuotaBucket]?: Date } = {};
  return {
    book: async ({ method, bucket }) => {
      if (bucket === "credits") return { settle: async () => undefined };
      const retryAt = emptyUntil[bucket];
      if (retryAt !== undefined && now() < retryAt.getTime()) {
        throw createQuotaExceededError(`${method} waits for tomorrow`, {
          bucket,
          retryAt,
          facts: { method },
        });
      }
      return {
        settle: async ({ exhausted }) => {
          if (exhausted) emptyUntil[bucket] = quotaResetAfter(new Date(now()));
        },
      };
    },
  };
}
