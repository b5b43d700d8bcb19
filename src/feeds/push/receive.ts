import type { FeedProgress, Read, Ticket } from "../../store/index.ts";
import type { FeedsOptions } from "../parts.ts";
import type { FeedRef, Rows } from "../rows.ts";
import type { Runner } from "../runner.ts";
import { readAtom } from "./atom.ts";
import type { Hub, HubQuestion } from "./hub.ts";
import {
  allRefused,
  everyLeaseRefused,
  grantedLease,
  longestLeaseS,
  shorterLease,
} from "./lease.ts";
import { isSigned } from "./secret.ts";
import type { Subscription } from "./subscription.ts";

export interface ReceiveParts extends Pick<FeedsOptions, "clock" | "log"> {
  readonly store: Pick<FeedsOptions["store"], "tickets" | "guilds">;
  readonly rows: Rows;
  readonly runner: Pick<Runner, "wake">;
}

const longestChallenge = 1_024;

interface Found {
  readonly ref: FeedRef;
  readonly subscription: Subscription;
}

/** Answers the hub: only for what was asked, and only as long as somebody wants it. */
export function createHub({ store, rows, runner, clock, log }: ReceiveParts): Hub {
  /** `failed`: nobody can tell at the moment. */
  async function find(path: string): Promise<Found | "absent" | "failed"> {
    const read = await store.tickets.read(path);
    if (read.state === "failed") return "failed";
    const subscription = subscriptionIn(read);
    if (read.state === "absent" || subscription === undefined) return "absent";
    const ref = { guildId: read.value.guildId, feedId: subscription.feedId };
    return (await rows.feed(ref)) === undefined ? "absent" : { ref, subscription };
  }

  async function verify(path: string, question: HubQuestion): Promise<string | undefined> {
    const found = await find(path);
    if (found === "absent" || found === "failed") return undefined;
    return store.guilds.runFor(found.ref.guildId, () => note(found, question));
  }

  async function note(
    { ref, subscription }: Found,
    question: HubQuestion,
  ): Promise<string | undefined> {
    // It may have gone since it was found.
    if ((await rows.feed(ref)) === undefined) return undefined;
    const { mode, topic, challenge, leaseSeconds } = question;
    if (topic !== subscription.topic) return undefined;
    if (mode === "denied") {
      await stepDown(ref, subscription.leaseS);
      return "";
    }
    // Nothing here ever asks to be told no more: such a question is somebody else's.
    if (mode !== "subscribe" || !challenge || challenge.length > longestChallenge) return undefined;
    const pushUntil = clock.now() + grantedLease(leaseSeconds, subscription.leaseS) * 1_000;
    await rows.changeProgress(ref, (stored) => ({
      ...stored,
      pushUntil: Math.max(pushUntil, stored.pushUntil ?? 0),
    }));
    return challenge;
  }

  /** A hub need not say why it denies, and a lease that it finds too long is one reason: a shorter one is asked for. */
  async function stepDown(ref: FeedRef, deniedS: number): Promise<void> {
    const at = { guild: ref.guildId, feed: ref.feedId, leaseS: deniedS };
    const leaseS = shorterLease(deniedS);
    let isNew = true;
    await rows.changeProgress(ref, (stored) => {
      // Said twice, or of what was given up already.
      isNew = (stored.pushLeaseS ?? longestLeaseS) === deniedS;
      return isNew ? denied(stored, leaseS, clock.now()) : stored;
    });
    if (!isNew) return;
    log.info("the hub denied a subscription", at);
    if (leaseS === allRefused) log.warn(everyLeaseRefused, at);
    runner.wake(ref);
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
    if (ids.length > 0) runner.wake(ref, ids);
    return "taken";
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
