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
  throw keptForModeration(wanted, left.resetsAt);
}

function keptForModeration({ method, bucket }: Wanted, retryAt: Date): LimitError {
  return new LimitError(`${method} waits: the last ${bucket} of today are kept for moderation`, {
    code: "units_reserved",
    hint: "What this server may still spend today is kept for moderating comments.",
    facts: { method, bucket },
    retryAt,
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
  part: "This server has used its part of what all linked channels share. The parts of other servers are untouched.",
  guild:
    "The people who run this bot have set what a server may spend a day of what all linked channels share.",
  person: "An owner of this server has set what you may spend a day. Ask them for more, or wait.",
  rank: "This is what each person of your rank may spend a day in this server. An owner can change that with /connect budget.",
} as const satisfies Record<Bound["of"], string>;

function refuseBeyond(asked: Wanted, bound: Bound): void {
  const { method, bucket, cost, personal, isSpare, isModeration } = asked;
  const { of, rank, limit, used, reserved = 0, servers, resetsAt } = bound;
  const left = bound.left - (isModeration ? 0 : reserved);
  const isOfGuild = of === "guild" || of === "part";
  const wanted = isOfGuild ? cost : Math.max(cost, personal ?? 0);
  if (wanted <= left - (isSpare ? limit * spared : 0)) return;
  if (left === 0 && bound.left > 0) throw keptForModeration(asked, resetsAt);
  throw new LimitError(`${method} waits: ${wanted} ${bucket} of ${of} with ${left} left`, {
    code: `budget_${of}`,
    hint: whose[of],
    facts: {
      ...{ method, bucket, amount: limit, used, left, cost: wanted },
      ...(rank && { rank }),
      ...(isOfGuild ? {} : { command: "connect budget" }),
      ...(servers !== undefined && { servers }),
    },
    retryAt: resetsAt,
  });
}
