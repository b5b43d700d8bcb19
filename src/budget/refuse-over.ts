import { type Facts, LimitError } from "../errors.ts";
import { toCost } from "./amounts.ts";
import type { QuotaMeasure } from "./measure.ts";
import type { QuotaBound, QuotaBucket, SpendingKind } from "./types.ts";

/** What is about to be spent of one bucket, by one call or by several. */
interface WantedSpending {
  /** The first of the methods. */
  readonly method: string;
  readonly bucket: SpendingKind;
  readonly amount: number;
  /** What the person would spend in all projects together, if that is more. */
  readonly personal?: number;
  readonly isModeration: boolean;
  /** Whether the project is the one that linked channels share, or that of a key. */
  readonly isShared?: boolean | undefined;
  /** No person asked for it, so it does not use the last tenth of any limit. */
  readonly isSpare?: boolean | undefined;
}

/** The share of every limit that is reserved for what a person asked for. */
const spareShare = 0.1;

/**
 * Refuses what may not be booked. A bucket that is empty by our count is refused like one that YouTube calls empty.
 * @throws LimitError
 */
export function refuseOver(wanted: WantedSpending, { project, bounds }: QuotaMeasure): void {
  const { method, bucket, amount, isModeration, isShared, isSpare } = wanted;
  if (bucket !== "credits" && (project.blocked || project.left === 0)) {
    const why = project.blocked ? "YouTube says so" : "by our own count";
    throw createQuotaExceededError(`${method} waits: ${bucket} of today are used up, ${why}`, {
      bucket,
      retryAt: project.resetsAt,
      facts: { method, pool: isShared ? "channel" : "key" },
    });
  }
  for (const bound of bounds) refuseBeyond(wanted, bound);
  if (bucket === "credits") return;
  const spare = isSpare ? project.limit * spareShare : 0;
  const open = Math.max(0, project.left - (isModeration ? 0 : project.reserved) - spare);
  if (amount <= open) return;
  if (open <= 0) throw createReservedError(wanted, project.resetsAt);
  // Something is left, but not enough: a smaller amount may still be booked.
  const pool = isShared ? "channel" : "key";
  throw new LimitError(`${method} waits: ${amount} ${bucket} with ${open} left`, {
    code: "quota_short",
    facts: { method, bucket, cost: amount, left: open, amount: project.limit, pool },
    retryAt: project.resetsAt,
  });
}

function createReservedError({ method, bucket }: WantedSpending, retryAt: Date): LimitError {
  return new LimitError(`${method} waits: the last ${bucket} of today are kept for moderation`, {
    code: "units_reserved",
    facts: { method, bucket },
    retryAt,
  });
}

function refuseBeyond(wanted: WantedSpending, bound: QuotaBound): void {
  const { bucket, method, personal, isSpare, isModeration } = wanted;
  const { of, rank, limit, used, reserved = 0, sharing, resetsAt } = bound;
  const left = bound.left - (isModeration ? 0 : reserved);
  const isOfServer = of === "guild" || of === "part";
  const amount = isOfServer ? wanted.amount : Math.max(wanted.amount, personal ?? 0);
  if (amount <= left - (isSpare ? limit * spareShare : 0)) return;
  if (left === 0 && bound.left > 0) throw createReservedError(wanted, resetsAt);
  const cost = (sum: number) => toCost(bucket, sum);
  throw new LimitError(`${method} waits: ${cost(amount)} ${bucket} of ${of}, ${cost(left)} left`, {
    code: `budget_${of}`,
    facts: {
      method,
      bucket,
      amount: cost(limit),
      used: cost(used),
      left: cost(left),
      cost: cost(amount),
      ...(bucket === "credits" && { service: "background" }),
      ...(rank && { rank }),
      ...(isOfServer ? {} : { command: "connect budget" }),
      ...(sharing !== undefined && { channels: sharing.channels, own: sharing.own }),
    },
    // What is more than somebody's whole day is too much tomorrow as well.
    ...((isOfServer || amount <= limit) && { retryAt: resetsAt }),
  });
}

/** A bucket is empty until midnight: the code is the same whether YouTube says so or our own count. */
export function createQuotaExceededError(
  message: string,
  {
    bucket,
    retryAt,
    facts,
  }: { readonly bucket: QuotaBucket; readonly retryAt: Date; readonly facts?: Facts },
): LimitError {
  return new LimitError(message, {
    code: "quota_exceeded",
    facts: { ...facts, bucket },
    retryAt,
  });
}
