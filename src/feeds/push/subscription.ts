import { isIP } from "node:net";
import type { Feed, FeedProgress, Ticket } from "../../store/index.ts";
import type { FeedsOptions } from "../parts.ts";
import type { FeedRef, Rows } from "../rows.ts";
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
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What is asked for; hubs answer with what they give. */
const leaseSeconds = 5 * 86_400;
/** A lease that ends sooner than this is renewed. */
const renewMs = dayMs;
/** A hub that did not answer is asked again so much later. */
const askAgainMs = hourMs;
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

  return async function subscribe(
    ref: FeedRef,
    feed: Feed,
    { pushUntil = 0, pushAskedAt = 0 }: FeedProgress,
  ): Promise<void> {
    const now = clock.now();
    if (!isUsable || pushUntil - now > renewMs || now - pushAskedAt < askAgainMs) return;
    await rows.changeProgress(ref, (stored) => ({ ...stored, pushAskedAt: now }));
    const at = Math.max(now, nextAt);
    nextAt = at + gapMs;
    if (at === now) await tryToAsk(ref, feed);
    else clock.after(at - now, () => void tryToAsk(ref, feed));
  };

  /** Never throws: a feed that nobody tells of is looked at. */
  async function tryToAsk(ref: FeedRef, feed: Feed): Promise<void> {
    try {
      await ask(ref, feed);
    } catch (error) {
      log.warn("the hub was not reached", { guild: ref.guildId, feed: ref.feedId, error });
    }
  }

  async function ask(ref: FeedRef, feed: Feed): Promise<void> {
    const content: Subscription = {
      ...{ kind: "push", feedId: feed.id, topic: topicOf(feed), secret: newSecret() },
    };
    const ticket: Ticket = { guildId: ref.guildId, userId: feed.addedBy, content, of: "push" };
    const path = await store.tickets.put(ticket, leaseSeconds * 1_000 + dayMs);
    const { status } = await http.request({
      method: "POST",
      url: hub.url,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": content.topic,
        "hub.callback": `${callbackUrl}/${path}`,
        "hub.verify": "async",
        "hub.secret": content.secret,
        "hub.lease_seconds": `${leaseSeconds}`,
      }).toString(),
      retry: "set",
      tries: 2,
      maxBytes: mostAnswerBytes,
    });
    if (status < 200 || status > 299) {
      log.warn("the hub refused a subscription", { ...ref, status });
    }
  }
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
