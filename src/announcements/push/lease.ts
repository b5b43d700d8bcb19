import { dayMs, hourMs, minuteMs } from "../../clock.ts";
import type { FeedProgress } from "../record.ts";

const hourS = 3_600;
const minuteS = 60;

/** The leases to request from a hub, in seconds: the longest first, and shorter ones if it is refused. */
const leasesS = [120 * hourS, 24 * hourS, 6 * hourS, hourS] as const;
export const longestLeaseS = leasesS[0];
/** Stored in place of a lease once all of them were refused. */
export const allRefused = 0;
export const everyLeaseRefused = "the hub refused every lease, so that the feed is only polled";

/** A lease is renewed when a quarter of it is left, and a day before its end at the latest. */
const renewShare = 4;
const renewMs = dayMs;
/** Between two requests for the same feed, however short the lease is. */
const minGapMs = 5 * minuteMs;
/** How long to wait before another request to a hub that did not answer, or that refused every lease. */
const askAgainMs = hourMs;
const refusedMs = dayMs;

type PushLease = Pick<FeedProgress, "pushUntil" | "pushAskedAt" | "pushLeaseS">;

/** The leases to request now, one after the other while the hub refuses, beginning with the one that it last accepted. */
export function leasesToAsk({ pushLeaseS = longestLeaseS }: PushLease): readonly number[] {
  const first = pushLeaseS === allRefused ? longestLeaseS : pushLeaseS;
  return leasesS.filter((leaseS) => leaseS <= first);
}

/** The next shorter lease, or `allRefused` if there is none. */
export function shorterLease(leaseS: number): number {
  return leasesS.find((shorter) => shorter < leaseS) ?? allRefused;
}

/**
 * The lease that a hub granted, in seconds: the requested one if the hub does not say, and never more, because the callback's
 * path expires then.
 */
export function grantedLease(text: string | undefined, askedS: number): number {
  if (!/^\d{1,10}$/u.test(text ?? "")) return askedS;
  return Math.min(askedS, Math.max(minuteS, Number(text)));
}

/** When the hub is asked next. */
export function askAt(progress: PushLease, now: number): number {
  const { pushUntil = 0, pushAskedAt, pushLeaseS } = progress;
  if (pushAskedAt === undefined) return now;
  if (pushUntil <= now) return pushAskedAt + (pushLeaseS === allRefused ? refusedMs : askAgainMs);
  const marginMs = Math.min(renewMs, (pushUntil - pushAskedAt) / renewShare);
  return Math.max(pushUntil - marginMs, pushAskedAt + minGapMs);
}

/** Whether the subscription has ended since the last poll, so that a poll is due. */
export function hasLapsed(progress: FeedProgress, now: number): boolean {
  const { pushUntil, polledAt = 0 } = progress;
  return pushUntil !== undefined && pushUntil <= now && polledAt < pushUntil;
}
