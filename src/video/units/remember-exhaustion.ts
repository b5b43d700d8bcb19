import type { Booking, Bucket, Meter } from "./meter.ts";
import { quotaExceeded } from "./quota-exceeded.ts";
import { quotaResetAfter } from "./quota-reset.ts";

/** The least of meters: it limits nothing until the service says that a bucket is empty, and then until its reset. */
export function rememberExhaustion(now: () => number): Meter {
  const emptyUntil: { [Name in Bucket]?: Date } = {};

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
