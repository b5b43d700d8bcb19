import { isIP } from "node:net";
import { isGuildErased } from "../../errors.ts";
import type { Job } from "../../jobs/index.ts";
import type { Ticket } from "../../store/index.ts";
import type { FeedsDeps, FeedWorkDeps } from "../deps.ts";
import type { FeedRef } from "../feed-records.ts";
import { type Feed, type FeedProgress, isWatched } from "../record.ts";
import {
  allRefused,
  askAt,
  everyLeaseRefused,
  hasLapsed,
  leasesToAsk,
  longestLeaseS,
} from "./lease.ts";
import { newSecret } from "./secret.ts";

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
/** Between two looks whether a channel that is missing is there again. */
const missingMs = 3_600_000;
const mostAnswerBytes = 64 * 1024;

/**
 * Asks the hub to tell what is new of a feed, and again before it ends. Each time the callback has a path and a secret of
 * its own, so that neither has to be known again: the former subscription ends by itself.
 */
export function createSubscribe(deps: FeedWorkDeps) {
  const { database, log, feeds, feedJobs } = deps;
  const turn = createTurn(deps);

  return async function subscribe(ref: FeedRef, { signal }: Pick<Job, "signal">) {
    const stored = await feeds.read(ref);
    if (stored === undefined || !deps.isHubUsable || !isWatched(stored.feed)) return undefined;
    const now = database.now();
    // Nobody else would notice that it ended: the feed's own looks are too seldom while the hub tells.
    if (hasLapsed(stored.progress, now)) await feedJobs.put("look", ref);
    if (stored.progress.missingSince !== undefined) return now + missingMs;
    if (now < askAt(stored.progress, now)) return nextLook(stored.progress, now);
    await turn(signal);
    const progress = await feeds.changeProgress(ref, (before) => ({ ...before, pushAskedAt: now }));
    if (progress === undefined) return undefined;
    await ask(deps, ref, { feed: stored.feed, leases: leasesToAsk(progress) }).catch(
      (error: unknown) => {
        if (isGuildErased(error)) throw error;
        // A hub that can't be reached is no trouble: a feed that nobody tells of is looked at.
        log.warn("the hub was not reached", { guild: ref.guildId, feed: ref.feedId, error });
      },
    );
    const after = (await feeds.read(ref))?.progress;
    return after && nextLook(after, database.now());
  };
}

/** One request after the other, with a gap between them. */
function createTurn({ clock }: Pick<FeedWorkDeps, "clock">) {
  let nextAt = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    const waitMs = Math.max(0, nextAt - now);
    nextAt = now + waitMs + gapMs;
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    signal.throwIfAborted();
  };
}

/** A hub that finds a lease too long is asked for the next shorter one, and no more once it refuses them all. */
async function ask(
  deps: FeedWorkDeps,
  ref: FeedRef,
  { feed, leases }: { readonly feed: Feed; readonly leases: readonly number[] },
): Promise<void> {
  const { feeds, log } = deps;
  const at = { guild: ref.guildId, feed: ref.feedId };
  const keepLease = (pushLeaseS: number) =>
    feeds.changeProgress(ref, (stored) => ({ ...stored, pushLeaseS }));
  for (const leaseS of leases) {
    const { status, refusesLease } = await request(deps, ref, { feed, leaseS });
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
  { tickets, http, hub }: FeedWorkDeps,
  ref: FeedRef,
  { feed, leaseS }: { readonly feed: Feed; readonly leaseS: number },
) {
  // What the service publishes a channel's uploads under (facts: PubSubHubbub).
  const topic = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${feed.source}`;
  const secret = newSecret();
  const content: Subscription = { kind: "push", feedId: feed.id, topic, secret, leaseS };
  const ticket: Ticket = { guildId: ref.guildId, userId: feed.addedBy, content, of: "push" };
  const path = await tickets.put(ticket, leaseS * 1_000 + spareMs);
  const { status, body } = await http.request({
    method: "POST",
    url: hub.url,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.callback": `${hub.callbackUrl}/${path}`,
      "hub.verify": "async",
      "hub.secret": secret,
      "hub.lease_seconds": `${leaseS}`,
    }).toString(),
    retry: "set",
    tries: 2,
    maxBytes: mostAnswerBytes,
  });
  // The hub names the lease as what is wrong (https://www.w3.org/TR/websub/#subscription-response-details).
  const refusesLease = status >= 400 && status < 500 && /lease/iu.test(`${body}`);
  // Nobody will ever call there.
  if (refusesLease) await tickets.take(path);
  return { status, refusesLease };
}

/** When it is worth a look again. */
function nextLook(progress: FeedProgress, now: number): number {
  const { pushUntil = 0 } = progress;
  const at = askAt(progress, now);
  return pushUntil > now ? Math.min(at, pushUntil) : at;
}

/** Whether there is a hub that can tell: one out there can't call back what only this machine reaches. */
export function isHubUsable({ url, callbackUrl }: FeedsDeps["hub"]): boolean {
  return callbackUrl !== undefined && (!isNear(callbackUrl) || isNear(url));
}

function isNear(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) === 6 ? host === "::1" : isIP(host) === 4 && host.startsWith("127.");
}
