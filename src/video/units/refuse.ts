import { LimitError } from "../../errors.ts";
import type { Charge } from "./meter.ts";
import { quotaExceeded } from "./quota-exceeded.ts";
import type { Left } from "./types.ts";

/** Whether a call may be booked; a budget that is empty here is told like one that the service calls empty. */
export function refuseOver(charge: Charge, left: Left, isModeration: boolean): void {
  const { method, bucket, cost } = charge;
  if (left.blocked || cost > left.left) {
    const why = left.blocked ? "the service says so" : "by our own count";
    throw quotaExceeded(`${method} waits: ${bucket} of today are used up, ${why}`, {
      bucket,
      retryAt: left.resetsAt,
      facts: { method },
    });
  }
  if (isModeration || cost <= left.left - left.reserved) return;
  throw new LimitError(`${method} waits: the last ${bucket} of today are kept for moderation`, {
    code: "units_reserved",
    hint: "What is left of today's units is kept for moderating comments. The rest starts anew at midnight in Los Angeles.",
    facts: { method, bucket },
    retryAt: left.resetsAt,
  });
}
