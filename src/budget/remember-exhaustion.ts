import { quotaResetAfter } from "./calendar.ts";
import { quotaExceeded } from "./quota-exceeded.ts";
import type { Booking, Bucket, SpendingMeter } from "./types.ts";

/** The least of meters: it limits nothing until the service says that a bucket is empty, and then until its reset. */
export function rememberExhaustion(now: () => number): SpendingMeter {
  const emptyUntil: { [Name in Bucket]?: Date } = {};
  const free: Booking = { settle: async () => undefined };

  function bookingOf(bucket: Bucket): Booking {
    return {
      settle: async ({ exhausted }) => {
        if (exhausted) emptyUntil[bucket] = quotaResetAfter(new Date(now()));
      },
    };
  }
  const bookings = {
    units: bookingOf("units"),
    searches: bookingOf("searches"),
    uploads: bookingOf("uploads"),
  } as const satisfies Record<Bucket, Booking>;

  return {
    book: async ({ method, bucket }) => {
      if (bucket === "credits") return free;
      const retryAt = emptyUntil[bucket];
      if (retryAt === undefined || now() >= retryAt.getTime()) return bookings[bucket];
      throw quotaExceeded(`${method} waits for tomorrow`, {
        bucket,
        retryAt,
        facts: { method },
      });
    },
  };
}
