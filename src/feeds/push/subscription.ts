import { isIP } from "node:net";
import type { Feed, FeedProgress, Ticket } from "../../store/index.ts";
import type { FeedsOptions } from "../parts.ts";
import type { FeedRef, Rows } from "../rows.ts";
import { allRefused, askAt, everyLeaseRefused, leasesToAsk, longestLeaseS } from "./lease.ts";
import { newSecret } from "./secret.ts";

export interface SubscribeParts extends Pick<FeedsOptions, "http" | "hub" | "clock" | "log"> {
  readonly store: Pick<FeedsOptions["store"], "tickets">;
  readonly rows: Rows;
}

/** What a callback's path stands for. It is sealed, and the path is what finds it. */
export interface Subscription {
  readonly kind: "push";
  readonly feedId: string;
  readonly topic: string;
  readonly secret: string;
  /** What was asked for, in seconds. */
  readonly leaseS: number;
}

/** How much longer than its lease a callback's path lives. */
const spareMs = 86_400_000;
/** The hub asks back for each subscription, and its questions count as one visitor's. */
const gapMs = 1_000;
const mostAnswerBytes = 64 * 1024;

/** What the service publishes a channel's uploads under (facts: PubSubHubbub). */
function topicOf({ source }: Pick<Feed, "source">): string {
  return `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${source}`;
}

/**
 * Asks the hub to tell what is new of a feed. Each time the callback has a path and a secret of its own, so that neither
 * has to be known again: the former subscription ends by itself.
 */
export function createSubscribe({ store, http, hub, clock, log, rows }: SubscribeParts) {
  const { callbackUrl } = hub;
  const isUsable = callbackUrl !== undefined && isReachable(callbackUrl, hub.url);
  let nextAt = 0;

  /** Answers when that is worth a look again; undefined where the feed's own looks are enough. */
  return async function subscribe(
    ref: FeedRef,
    feed: Feed,
    progress: FeedProgress,
  ): Promise<number | undefined> {
    const now = clock.now();
    if (!isUsable) return undefined;
    if (now < askAt(progress, now)) return wakeAt(progress, now);
    const asked = await rows.changeProgress(ref, (stored) => ({ ...stored, pushAskedAt: now }));
    const at = Math.max(now, nextAt);
    nextAt = at + gapMs;
    const leases = leasesToAsk(progress);
    if (at === now) await tryToAsk(ref, feed, leases);
    else clock.after(at - now, () => void tryToAsk(ref, feed, leases));
    return wakeAt(asked, now);
  };

  /** Never throws: a feed that nobody tells of is looked at. */
  async function tryToAsk(ref: FeedRef, feed: Feed, leases: readonly number[]): Promise<void> {
    try {
      await ask(ref, feed, leases);
    } catch (error) {
      log.warn("the hub was not reached", { guild: ref.guildId, feed: ref.feedId, error });
    }
  }

  /** A hub that finds a lease too long is asked for the next shorter one, and no more once it refuses them all. */
  async function ask(ref: FeedRef, feed: Feed, leases: readonly number[]): Promise<void> {
    const at = { guild: ref.guildId, feed: ref.feedId };
    for (const leaseS of leases) {
      const { status, refusesLease } = await request(ref, feed, leaseS);
      if (refusesLease) {
        log.info("the hub refused a lease", { ...at, status, leaseS });
        continue;
      }
      if (status < 200 || status > 299) {
        return log.warn("the hub refused a subscription", { ...at, status });
      }
      if (leaseS !== longestLeaseS) await keepLease(ref, leaseS);
      return;
    }
    log.warn(everyLeaseRefused, at);
    await keepLease(ref, allRefused);
  }

  async function keepLease(ref: FeedRef, pushLeaseS: number): Promise<void> {
    await rows.changeProgress(ref, (stored) => ({ ...stored, pushLeaseS }));
  }

  async function request(ref: FeedRef, feed: Feed, leaseS: number): Promise<Requested> {
    const content: Subscription = {
      ...{ kind: "push", feedId: feed.id, topic: topicOf(feed), secret: newSecret(), leaseS },
    };
    const ticket: Ticket = { guildId: ref.guildId, userId: feed.addedBy, content, of: "push" };
    const path = await store.tickets.put(ticket, leaseS * 1_000 + spareMs);
    const { status, body } = await http.request({
      method: "POST",
      url: hub.url,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": content.topic,
        "hub.callback": `${callbackUrl}/${path}`,
        "hub.verify": "async",
        "hub.secret": content.secret,
        "hub.lease_seconds": `${leaseS}`,
      }).toString(),
      retry: "set",
      tries: 2,
      maxBytes: mostAnswerBytes,
    });
    const refusesLease = status >= 400 && status < 500 && /lease/iu.test(`${body}`);
    // Nobody will ever call there.
    if (refusesLease) await store.tickets.take(path);
    return { status, refusesLease };
  }
}

interface Requested {
  readonly status: number;
  /** The hub names the lease as what is wrong (https://www.w3.org/TR/websub/#subscription-response-details). */
  readonly refusesLease: boolean;
}

/** The feed's own looks are too seldom while the hub tells, and nobody else would notice that a lease ends. */
function wakeAt(progress: FeedProgress, now: number): number | undefined {
  const { pushUntil = 0 } = progress;
  return pushUntil > now ? Math.min(askAt(progress, now), pushUntil) : undefined;
}

/** A hub out there can't call back what only this machine reaches. */
function isReachable(callbackUrl: string, hubUrl: string): boolean {
  return !isNear(callbackUrl) || isNear(hubUrl);
}

function isNear(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) === 6 ? host === "::1" : isIP(host) === 4 && host.startsWith("127.");
}
