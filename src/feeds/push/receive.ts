import type { Read, Ticket } from "../../store/index.ts";
import type { AnnouncementRecords } from "../announcement-records.ts";
import type { FeedsDeps } from "../deps.ts";
import type { FeedJobs } from "../feed-jobs.ts";
import type { FeedRecords, FeedRef } from "../feed-records.ts";
import { isWatched } from "../places.ts";
import type { FeedProgress } from "../record.ts";
import { readAtom } from "./atom.ts";
import type { Hub, HubQuestion } from "./hub.ts";
import {
  allRefused,
  askAt,
  everyLeaseRefused,
  grantedLease,
  longestLeaseS,
  shorterLease,
} from "./lease.ts";
import { withPushed } from "./pushed.ts";
import { isSigned } from "./secret.ts";
import type { Subscription } from "./subscription.ts";

export interface ReceiveDeps extends Pick<FeedsDeps, "database" | "tickets" | "log"> {
  readonly feeds: FeedRecords;
  readonly announcements: Pick<AnnouncementRecords, "known">;
  readonly feedJobs: FeedJobs;
}

const longestChallenge = 1_024;

interface Found {
  readonly ref: FeedRef;
  readonly subscription: Subscription;
}

/** Answers the hub: only for what was asked, and only as long as somebody wants it. */
export function createHub(deps: ReceiveDeps): Hub {
  const { database, tickets, feeds, announcements, feedJobs, log } = deps;
  const { now, servers, transaction } = database;

  /** `failed`: nobody can tell at the moment. */
  async function find(path: string): Promise<Found | "absent" | "failed"> {
    const read = await tickets.read(path);
    if (read.state === "failed") return "failed";
    const subscription = subscriptionIn(read);
    if (read.state === "absent" || subscription === undefined) return "absent";
    const ref = { guildId: read.value.guildId, feedId: subscription.feedId };
    return (await feeds.read(ref)) === undefined ? "absent" : { ref, subscription };
  }

  async function verify(path: string, question: HubQuestion): Promise<string | undefined> {
    const found = await find(path);
    if (found === "absent" || found === "failed") return undefined;
    return servers.runFor(found.ref.guildId, () => note(found, question));
  }

  async function note(
    { ref, subscription }: Found,
    question: HubQuestion,
  ): Promise<string | undefined> {
    // It may have gone since it was found.
    if ((await feeds.read(ref)) === undefined) return undefined;
    const { mode, topic, challenge, leaseSeconds } = question;
    if (topic !== subscription.topic) return undefined;
    if (mode === "denied") {
      await stepDown(ref, subscription.leaseS);
      return "";
    }
    // Nothing here ever asks to be told no more: such a question is somebody else's.
    if (mode !== "subscribe" || !challenge || challenge.length > longestChallenge) return undefined;
    const pushUntil = now() + grantedLease(leaseSeconds, subscription.leaseS) * 1_000;
    await transaction(async () => {
      const progress = await feeds.changeProgress(ref, (stored) => ({
        ...stored,
        pushUntil: Math.max(pushUntil, stored.pushUntil ?? 0),
      }));
      if (progress === undefined) return;
      await feedJobs.put("subscribe", ref, { dueAt: askAt(progress, now()) });
    });
    return challenge;
  }

  /** A hub need not say why it denies, and a lease that it finds too long is one reason: a shorter one is asked for. */
  async function stepDown(ref: FeedRef, deniedS: number): Promise<void> {
    const at = { guild: ref.guildId, feed: ref.feedId, leaseS: deniedS };
    const leaseS = shorterLease(deniedS);
    let isNew = false;
    await transaction(async () => {
      await feeds.changeProgress(ref, (stored) => {
        // Said twice, or of what was given up already.
        isNew = (stored.pushLeaseS ?? longestLeaseS) === deniedS;
        return isNew ? denied(stored, leaseS, now()) : stored;
      });
      if (isNew) await feedJobs.put("subscribe", ref);
    });
    if (!isNew) return;
    log.info("the hub denied a subscription", at);
    if (leaseS === allRefused) log.warn(everyLeaseRefused, at);
  }

  async function take(path: string, { signature, readBody }: Parameters<Hub["take"]>[1]) {
    const found = await find(path);
    if (found === "absent") return "gone";
    if (found === "failed") return "taken";
    const body = await readBody();
    if (body === undefined) return "unread";
    const { ref, subscription } = found;
    if (!isSigned(body, signature, subscription.secret)) {
      log.warn("a push was not signed by the hub", { guild: ref.guildId, feed: ref.feedId });
      return "taken";
    }
    const told = readAtom(body);
    if (told === undefined) {
      log.warn("a push could not be read", { guild: ref.guildId, feed: ref.feedId });
      return "taken";
    }
    const ids = told
      .filter(({ channelId }) => subscription.topic.endsWith(`=${channelId}`))
      .map(({ videoId }) => videoId);
    if (ids.length > 0) await servers.runFor(ref.guildId, () => noteTold(ref, ids));
    return "taken";
  }

  /** What was announced, or passed over, costs nothing however often the hub tells of it. */
  async function noteTold(ref: FeedRef, ids: readonly string[]): Promise<void> {
    await transaction(async () => {
      const stored = await feeds.read(ref);
      if (stored === undefined || !isWatched(stored.feed)) return;
      const known = await announcements.known(ref, ids);
      const open = ids.filter((id) => (known.get(id)?.state ?? "awaited") === "awaited");
      if (open.length === 0) return;
      let lookInMs: number | undefined;
      await feeds.changeProgress(ref, (before) => {
        const { progress, ...after } = withPushed(before, open, now());
        lookInMs = after.lookInMs;
        return progress;
      });
      if (lookInMs !== undefined) await feedJobs.put("look", ref, { dueAt: now() + lookInMs });
    });
  }

  return {
    verify: (path, question) => verify(path, question).catch(logged(undefined)),
    take: (path, told) => take(path, told).catch(logged("taken" as const)),
  };

  function logged<T>(answer: T) {
    return (error: unknown): T => {
      log.warn("what the hub said was not taken in", { error });
      return answer;
    };
  }
}

/** What is left to be tried is tried at once; a hub that refused everything is left alone for a while. */
function denied(stored: FeedProgress, pushLeaseS: number, now: number): FeedProgress {
  const { pushAskedAt, pushUntil, ...rest } = stored;
  return {
    ...{ ...rest, pushLeaseS },
    ...(pushUntil !== undefined && { pushUntil: Math.min(pushUntil, now) }),
    ...(pushLeaseS === allRefused && { pushAskedAt: pushAskedAt ?? now }),
  };
}

/** Tickets of other kinds, such as links under way, are no subscription. */
function subscriptionIn(read: Read<Ticket>): Subscription | undefined {
  if (read.state !== "found") return undefined;
  const content = read.value.content as Partial<Subscription> | null;
  if (content?.kind !== "push") return undefined;
  // Before leases became shorter, all were asked for the longest one.
  return { ...(content as Subscription), leaseS: content.leaseS ?? longestLeaseS };
}
