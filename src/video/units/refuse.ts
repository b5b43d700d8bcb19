import { LimitError } from "../../errors.ts";
import type { Bucket } from "./meter.ts";
import { quotaExceeded } from "./quota-exceeded.ts";
import type { Bound, Left } from "./types.ts";

/** What is about to be spent of one bucket, by one call or by several. */
export interface Wanted {
  /** The first of the methods. */
  readonly method: string;
  readonly bucket: Bucket;
  readonly cost: number;
  /** Of all projects together, where that is more. */
  readonly personal?: number;
  readonly isModeration: boolean;
  /** Nobody asked for it, so that it leaves the last of everything alone. */
  readonly isSpare?: boolean;
}

/** Share of every limit that only what somebody asked for may spend. */
const spared = 0.1;

/** Whether it may be booked; a budget that is empty here is told like one that the service calls empty. */
export function refuseOver(wanted: Wanted, left: Left, bounds: readonly Bound[]): void {
  const { method, bucket, cost, isModeration } = wanted;
  if (left.blocked || left.left === 0) {
    const why = left.blocked ? "the service says so" : "by our own count";
    throw quotaExceeded(`${method} waits: ${bucket} of today are used up, ${why}`, {
      bucket,
      retryAt: left.resetsAt,
      facts: { method },
    });
  }
  for (const bound of bounds) refuseBeyond(wanted, bound);
  const spare = wanted.isSpare ? left.limit * spared : 0;
  const open = Math.max(0, left.left - (isModeration ? 0 : left.reserved) - spare);
  if (cost <= open) return;
  if (open > 0) throw quotaShort(wanted, left, open);
  throw new LimitError(`${method} waits: the last ${bucket} of today are kept for moderation`, {
    code: "units_reserved",
    hint: "What is left of today's units is kept for moderating comments. The rest starts anew at midnight in Los Angeles.",
    facts: { method, bucket },
    retryAt: left.resetsAt,
  });
}

/** Something is left, only not enough: fewer may still do. */
function quotaShort({ method, bucket, cost }: Wanted, left: Left, open: number): LimitError {
  return new LimitError(`${method} waits: ${cost} ${bucket} with ${open} left`, {
    code: "quota_short",
    hint: `This takes ${cost}, and ${open} are left today. Do less at once, or wait.`,
    facts: { method, bucket, cost, left: open, amount: left.limit },
    retryAt: left.resetsAt,
  });
}

const whose = {
  guild:
    "The people who run this bot have set what a server may spend a day of what all linked channels share.",
  person: "An owner of this server has set what you may spend a day. Ask them for more, or wait.",
  rank: "An owner of this server has set what people of your rank may spend a day. Ask them for more, or wait.",
} as const satisfies Record<Bound["of"], string>;

function refuseBeyond({ method, bucket, cost, personal, isSpare }: Wanted, bound: Bound): void {
  const { of, rank, limit, left, resetsAt } = bound;
  const wanted = of === "guild" ? cost : Math.max(cost, personal ?? 0);
  if (wanted <= left - (isSpare ? limit * spared : 0)) return;
  throw new LimitError(`${method} waits: ${wanted} ${bucket} of ${of} with ${left} left`, {
    code: `budget_${of}`,
    hint: whose[of],
    facts: { method, bucket, amount: limit, left, cost: wanted, ...(rank && { rank }) },
    retryAt: resetsAt,
  });
}
