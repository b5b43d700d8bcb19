import type { FeedWorkDeps } from "../deps.ts";
import type { FeedRef } from "../feed-records.ts";
import { type FeedProgress, isWatched } from "../record.ts";
import { readAtom } from "./atom.ts";
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

/** https://www.w3.org/TR/websub/#hub-verifies-intent */
interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

interface HubMessage {
  /** As it stands in the header X-Hub-Signature. */
  readonly signature: string | undefined;
  /** Asked for only once the path is known; undefined where it was cut off or too long. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
}

const longestChallenge = 1_024;

interface FoundSubscription {
  readonly ref: FeedRef;
  readonly subscription: Subscription;
}

export type Hub = ReturnType<typeof createHub>;

/**
 * What the hub of WebSub asks and tells behind a callback's path is answered only for what was asked, and only as long as
 * somebody wants it. Never throws.
 */
export function createHub(deps: FeedWorkDeps) {
  const logged =
    <T>(answer: T) =>
    (error: unknown): T => {
      deps.log.warn("what the hub said was not taken in", { error });
      return answer;
    };
  return {
    /** Answers whether a subscription is wanted: the challenge, or undefined for one nobody asked for. */
    verify: (path: string, question: HubQuestion): Promise<string | undefined> =>
      verify(deps, path, question).catch(logged(undefined)),
    /**
     * Takes what the hub tells. `gone` where nobody wants to hear it any more, and `unread` where its body never came; all
     * else is `taken`, also what is not believed, so that nobody learns from the answer.
     */
    take: (path: string, message: HubMessage): Promise<"taken" | "gone" | "unread"> =>
      take(deps, path, message).catch(logged("taken" as const)),
  };
}

/** `failed`: nobody can tell at the moment. */
async function find(
  { tickets, feeds }: FeedWorkDeps,
  path: string,
): Promise<FoundSubscription | "absent" | "failed"> {
  const read = await tickets.read(path);
  if (read.state !== "found") return read.state;
  const subscription = read.value.content as Subscription | null;
  // Tickets of other kinds, such as links under way, are no subscription.
  if (subscription?.kind !== "push") return "absent";
  const ref = { guildId: read.value.guildId, feedId: subscription.feedId };
  return (await feeds.read(ref)) === undefined ? "absent" : { ref, subscription };
}

async function verify(
  deps: FeedWorkDeps,
  path: string,
  question: HubQuestion,
): Promise<string | undefined> {
  const found = await find(deps, path);
  if (typeof found === "string") return undefined;
  const { servers } = deps.database;
  return servers.runFor(found.ref.guildId, () => answer(deps, found, question));
}

async function answer(
  deps: FeedWorkDeps,
  { ref, subscription }: FoundSubscription,
  { mode, topic, challenge, leaseSeconds }: HubQuestion,
): Promise<string | undefined> {
  const { database, feeds, feedJobs } = deps;
  const { now, transaction } = database;
  // It may have gone since it was found.
  if ((await feeds.read(ref)) === undefined) return undefined;
  if (topic !== subscription.topic) return undefined;
  if (mode === "denied") {
    await stepDown(deps, ref, subscription.leaseS);
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
async function stepDown(
  { database, feeds, feedJobs, log }: FeedWorkDeps,
  ref: FeedRef,
  deniedS: number,
): Promise<void> {
  const at = { guild: ref.guildId, feed: ref.feedId, leaseS: deniedS };
  const leaseS = shorterLease(deniedS);
  let isNew = false;
  await database.transaction(async () => {
    await feeds.changeProgress(ref, (stored) => {
      // Said twice, or of what was given up already.
      isNew = (stored.pushLeaseS ?? longestLeaseS) === deniedS;
      return isNew ? denied(stored, leaseS, database.now()) : stored;
    });
    if (isNew) await feedJobs.put("subscribe", ref);
  });
  if (!isNew) return;
  log.info("the hub denied a subscription", at);
  if (leaseS === allRefused) log.warn(everyLeaseRefused, at);
}

async function take(deps: FeedWorkDeps, path: string, { signature, readBody }: HubMessage) {
  const found = await find(deps, path);
  if (found === "absent") return "gone";
  if (found === "failed") return "taken";
  const body = await readBody();
  if (body === undefined) return "unread";
  const { ref, subscription } = found;
  const isTrusted = isSigned(body, signature, subscription.secret);
  const told = isTrusted ? readAtom(body) : undefined;
  if (told === undefined) {
    const words = isTrusted ? "a push could not be read" : "a push was not signed by the hub";
    deps.log.warn(words, { guild: ref.guildId, feed: ref.feedId });
    return "taken";
  }
  const ids = told
    .filter(({ channelId }) => subscription.topic.endsWith(`=${channelId}`))
    .map(({ videoId }) => videoId);
  const { servers } = deps.database;
  if (ids.length > 0) await servers.runFor(ref.guildId, () => noteTold(deps, ref, ids));
  return "taken";
}

/** What was announced, or passed over, costs nothing however often the hub tells of it. */
function noteTold(
  { database, feeds, announcements, feedJobs }: FeedWorkDeps,
  ref: FeedRef,
  ids: readonly string[],
): Promise<void> {
  const { now, transaction } = database;
  return transaction(async () => {
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

/** What is left to be tried is tried at once; a hub that refused everything is left alone for a while. */
function denied(stored: FeedProgress, pushLeaseS: number, now: number): FeedProgress {
  const { pushAskedAt, pushUntil, ...rest } = stored;
  return {
    ...{ ...rest, pushLeaseS },
    ...(pushUntil !== undefined && { pushUntil: Math.min(pushUntil, now) }),
    ...(pushLeaseS === allRefused && { pushAskedAt: pushAskedAt ?? now }),
  };
}
