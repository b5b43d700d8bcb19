import type { Day } from "./calendar.ts";
import type { Bucket } from "./meter.ts";
import { type GuildPart, partOf } from "./parts.ts";
import { countOf, type Tally } from "./tally.ts";
import type { Terms } from "./terms.ts";
import type { Left, UnitsOptions } from "./types.ts";

/** What a project may spend a day (facts, limits.quota). */
export const defaultLimits = {
  units: 10_000,
  searches: 100,
  uploads: 100,
} as const satisfies Record<Bucket, number>;

/** Share of the units that only moderation may spend. */
export const defaultReserve = 0.2;

/** The service's clock is not ours: an emptiness told this soon after midnight may still be that of the day before. */
const graceMs = 5 * 60_000;

export interface Buckets {
  limitsOf(terms: Terms): Readonly<Record<Bucket, number>>;
  /** What each of so many servers may spend of a project that they share. */
  partOf(bucket: Bucket, servers: number, terms: Terms): GuildPart;
  /** `isDivided`: several servers have parts of it, each with its own reserve. */
  left(
    tally: Tally,
    bucket: Bucket,
    at: { readonly day: Day; readonly terms: Terms; readonly isDivided: boolean },
  ): Left;
  /** The service called it empty; answers whether that holds for the rest of the day, or only for some minutes. */
  empty(project: string, bucket: Bucket, day: Day): "day" | "minutes";
}

export function createBuckets(options: Pick<UnitsOptions, "limits" | "reserve" | "now">): Buckets {
  const { now } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const usual = options.reserve ?? defaultReserve;
  const pauses = new Map<string, number>();

  function pausedUntil(project: string, bucket: Bucket): number | undefined {
    const until = pauses.get(`${project} ${bucket}`);
    return until !== undefined && now() < until ? until : undefined;
  }

  const limitsOf = (terms: Terms) => (terms.limits ? { ...limits, ...terms.limits } : limits);

  const reserveOf = ({ reserve }: Terms) => reserve ?? usual;

  return {
    limitsOf,
    partOf: (bucket, servers, terms) =>
      partOf({ bucket, servers, limit: limitsOf(terms)[bucket], reserve: reserveOf(terms) }),
    left(tally, bucket, { day, terms, isDivided }) {
      const used = countOf(tally, bucket);
      const limit = limitsOf(terms)[bucket];
      const kept = isDivided ? 0 : Math.floor(limit * reserveOf(terms));
      const pause = pausedUntil(tally.at.project, bucket);
      const blocked = pause !== undefined || countOf(tally, emptyMark(bucket)) > 0;
      const left = blocked ? 0 : Math.max(0, limit - used);
      const reserved = bucket === "units" ? Math.min(left, kept) : 0;
      return { used, limit, left, reserved, resetsAt: new Date(pause ?? day.endsAt), blocked };
    },
    empty(project, bucket, { startsAt }) {
      const until = startsAt + graceMs;
      if (now() >= until) return "day";
      pauses.set(`${project} ${bucket}`, until);
      return "minutes";
    },
  };
}

/** Name of the counter that says so for the rest of the day. */
export function emptyMark(bucket: Bucket): string {
  return `${bucket}.empty`;
}
