import type { FeedProgress } from "../record.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const hourS = 3_600;
const minuteS = 60;

/** What a hub is asked for, in seconds: the longest first, and a shorter one where it refuses that. */
const leasesS = [120 * hourS, 24 * hourS, 6 * hourS, hourS] as const;
export const longestLeaseS = leasesS[0];
/** Kept in place of a lease once each of them was refused. */
export const allRefused = 0;
export const everyLeaseRefused = "the hub refused every lease, so that the feed is only looked at";

/** A lease is renewed when a quarter of it is left, and a day before its end at the latest. */
const renewShare = 4;
const renewMs = dayMs;
/** Between two requests for the same feed, however short the lease is. */
const leastGapMs = 5 * minuteMs;
/** A hub that did not answer is asked again so much later; one that refused every lease, later still. */
const askAgainMs = hourMs;
const refusedMs = dayMs;

type Pushed = Pick<FeedProgress, "pushUntil" | "pushAskedAt" | "pushLeaseS">;

/** What to ask for now, one after the other while the hub refuses: from what it did not refuse last time. */
export function leasesToAsk({ pushLeaseS = longestLeaseS }: Pushed): readonly number[] {
  const first = pushLeaseS === allRefused ? longestLeaseS : pushLeaseS;
  return leasesS.filter((leaseS) => leaseS <= first);
}

/** The next shorter one, or that there is none. */
export function shorterLease(leaseS: number): number {
  return leasesS.find((shorter) => shorter < leaseS) ?? allRefused;
}

/**
 * What a hub gave, in seconds: what was asked for where it does not say, and never more, because the callback's path ends
 * with that.
 */
export function grantedLease(text: string | undefined, askedS: number): number {
  if (!/^\d{1,10}$/u.test(text ?? "")) return askedS;
  return Math.min(askedS, Math.max(minuteS, Number(text)));
}

/** When the hub is asked next. */
export function askAt(progress: Pushed, now: number): number {
  const { pushUntil = 0, pushAskedAt, pushLeaseS } = progress;
  if (pushAskedAt === undefined) return now;
  if (pushUntil <= now) return pushAskedAt + (pushLeaseS === allRefused ? refusedMs : askAgainMs);
  const marginMs = Math.min(renewMs, (pushUntil - pushAskedAt) / renewShare);
  return Math.max(pushUntil - marginMs, pushAskedAt + leastGapMs);
}

/** Whether the hub stopped telling since the feed was looked at last, so that a look is due. */
export function hasLapsed(progress: FeedProgress, now: number): boolean {
  const { pushUntil, polledAt = 0 } = progress;
  return pushUntil !== undefined && pushUntil <= now && polledAt < pushUntil;
}
