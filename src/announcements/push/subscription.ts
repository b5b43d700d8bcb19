import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { dayMs, hourMs } from "../../clock.ts";
import { isServerErased } from "../../errors.ts";
import type { OneTimeToken } from "../../store/index.ts";
import type { FeedRef } from "../feed-records.ts";
import { type Feed, type FeedProgress, needsPushes } from "../record.ts";
import type { FeedsRoom } from "../room.ts";
import {
  allRefused,
  askAt,
  everyLeaseRefused,
  hasLapsed,
  leasesToAsk,
  longestLeaseS,
} from "./lease.ts";

/** What a callback's path stands for. It is stored sealed, and found by the path. */
export interface HubSubscription {
  readonly kind: "push";
  readonly feedId: string;
  readonly topic: string;
  readonly secret: string;
  /** What was asked for, in seconds. */
  readonly leaseS: number;
}

/** How much longer a callback's path lives than its lease. */
export const spareMs = dayMs;
/** The hub verifies each subscription with a request of its own, and all of these count as one visitor's. */
const gapMs = 1_000;
/** How often to check whether a missing channel is back. */
const missingMs = hourMs;
const maxAnswerBytes = 64 * 1024;

/**
 * Subscribes to a feed at the hub, and again before the lease ends. Each subscription has a new callback path and secret, so
 * that a renewal reads neither of them. The earlier subscription ends by itself.
 */
export function handleSubscribeJobs(room: FeedsRoom, turn: HubTurn): void {
  const { database, log, feeds, feedJobs, hub } = room;

  feedJobs.handle("subscribe", async (ref, { signal }) => {
    const stored = await feeds.read(ref);
    if (stored === undefined || !isHubUsable(hub) || !needsPushes(stored)) return undefined;
    const now = database.now();
    // Only this job notices in time that the lease ended: while the hub pushes, the feed is rarely polled.
    if (hasLapsed(stored.progress, now)) await feedJobs.put("poll", ref);
    if (stored.progress.missingSince !== undefined) return now + missingMs;
    if (now < askAt(stored.progress, now)) return nextCheckAt(stored.progress, now);
    await turn(signal);
    const progress = await feeds.changeProgress(ref, (before) => ({ ...before, pushAskedAt: now }));
    if (progress === undefined) return undefined;
    await askForLeases(room, ref, { feed: stored.feed, leases: leasesToAsk(progress) }).catch(
      (error: unknown) => {
        if (isServerErased(error)) throw error;
        // The feed does without: it is polled then.
        log.warn("the hub was not reached", { guild: ref.guildId, feed: ref.feedId, error });
      },
    );
    const after = (await feeds.read(ref))?.progress;
    return after && nextCheckAt(after, database.now());
  });
}

export type HubTurn = (signal: AbortSignal) => Promise<void>;

/** One request after the other, with a gap between them. */
export function createTurn({ clock }: FeedsRoom): HubTurn {
  let nextAt = 0;
  return async (signal) => {
    const now = clock.now();
    const waitMs = Math.max(0, nextAt - now);
    nextAt = now + waitMs + gapMs;
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    signal.throwIfAborted();
  };
}

/** Requests a subscription with shorter and shorter leases, until the hub accepts one or has refused them all. */
async function askForLeases(
  room: FeedsRoom,
  ref: FeedRef,
  { feed, leases }: { readonly feed: Feed; readonly leases: readonly number[] },
): Promise<void> {
  const { feeds, log } = room;
  const at = { guild: ref.guildId, feed: ref.feedId };
  const keepLease = (pushLeaseS: number) =>
    feeds.changeProgress(ref, (stored) => ({ ...stored, pushLeaseS }));
  for (const leaseS of leases) {
    const { status, refusesLease } = await request(room, ref, { feed, leaseS });
    if (refusesLease) {
      log.info("the hub refused a lease", { ...at, status, leaseS });
      continue;
    }
    if (status < 200 || status > 299) {
      return log.warn("the hub refused a subscription", { ...at, status });
    }
    if (leaseS !== longestLeaseS) await keepLease(leaseS);
    return;
  }
  log.warn(everyLeaseRefused, at);
  await keepLease(allRefused);
}

async function request(
  room: FeedsRoom,
  ref: FeedRef,
  { feed, leaseS }: { readonly feed: Feed; readonly leaseS: number },
) {
  const { oneTimeTokens } = room;
  // https://developers.google.com/youtube/v3/guides/push_notifications
  const topic = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${feed.source}`;
  const secret = newSecret();
  const content: HubSubscription = { kind: "push", feedId: feed.id, topic, secret, leaseS };
  const record: OneTimeToken = { guildId: ref.guildId, userId: feed.addedBy, content, of: "push" };
  const path = await oneTimeTokens.put(record, leaseS * 1_000 + spareMs);
  const { status, body } = await askHub(room, path, {
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.secret": secret,
    "hub.lease_seconds": `${leaseS}`,
  });
  // The hub names the lease as what is wrong (https://www.w3.org/TR/websub/#subscription-response-details).
  const refusesLease = status >= 400 && status < 500 && /lease/iu.test(`${body}`);
  // The hub will never call there.
  if (refusesLease) await oneTimeTokens.take(path);
  return { status, refusesLease };
}

/** Sends the hub a request about the callback with that path. */
export function askHub(
  { http, hub }: FeedsRoom,
  path: string,
  fields: Readonly<Record<string, string>>,
) {
  return http.request({
    method: "POST",
    url: hub.url,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      ...fields,
      "hub.callback": `${hub.callbackUrl}/${path}`,
      "hub.verify": "async",
    }).toString(),
    retry: "set",
    tries: 2,
    maxBytes: maxAnswerBytes,
  });
}

/** When this job is due again. */
function nextCheckAt(progress: FeedProgress, now: number): number {
  const { pushUntil = 0 } = progress;
  const at = askAt(progress, now);
  return pushUntil > now ? Math.min(at, pushUntil) : at;
}

/** Whether the hub can be used: a public one can't reach a callback address of this machine alone. */
export function isHubUsable({ url, callbackUrl }: FeedsRoom["hub"]): boolean {
  return callbackUrl !== undefined && (!isLocalAddress(callbackUrl) || isLocalAddress(url));
}

function isLocalAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) === 6 ? host === "::1" : isIP(host) === 4 && host.startsWith("127.");
}

/** 256 bits; at most 200 bytes are allowed (https://www.w3.org/TR/websub/#subscriber-sends-subscription-request). */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
