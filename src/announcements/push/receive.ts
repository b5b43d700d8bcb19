import { createHmac, timingSafeEqual } from "node:crypto";
import type { FeedRef } from "../feed-records.ts";
import { isFeedWatched, needsPushes } from "../record.ts";
import type { FeedsRoom } from "../room.ts";
import { readAtom } from "./atom.ts";
import {
  allRefused,
  askAt,
  everyLeaseRefused,
  grantedLease,
  longestLeaseS,
  shorterLease,
} from "./lease.ts";
import { addPushed } from "./pushed-videos.ts";
import type { HubSubscription } from "./subscription.ts";
import { noteUnsubscribed } from "./unsubscription.ts";

/** https://www.w3.org/TR/websub/#hub-verifies-intent */
interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

interface HubMessage {
  /** The header X-Hub-Signature. */
  readonly signature: string | undefined;
  /** Called only once the path is known; returns undefined if the body was cut off or too long. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
}

const longestChallenge = 1_024;

interface FoundSubscription {
  readonly ref: FeedRef;
  readonly subscription: HubSubscription;
}

export type Hub = ReturnType<typeof createHub>;

/**
 * Answers the WebSub hub's requests to a callback's path, only for subscriptions that this bot has requested and still needs.
 * Never throws.
 */
export function createHub(room: FeedsRoom) {
  const { servers } = room.database;
  return {
    /** Confirms a subscription or its end: returns the challenge, or undefined for what was not requested. */
    async verify(path: string, question: HubQuestion): Promise<string | undefined> {
      const { mode, topic, challenge } = question;
      try {
        if (mode === "unsubscribe") {
          // It is confirmed however often the hub asks, if this bot has requested it; nobody else may end a subscription.
          if (topic === undefined || !isChallenge(challenge)) return undefined;
          return (await noteUnsubscribed(room, path, topic)) ? challenge : undefined;
        }
        const found = await findSubscription(room, path);
        if (typeof found === "string") return undefined;
        const { guildId } = found.ref;
        return await servers.runFor(guildId, () => answerChallenge(room, found, question));
      } catch (error) {
        room.log.warn("what the hub said was not taken in", { error });
        return undefined;
      }
    },
    /**
     * Takes a push. `gone` if it is no longer needed, `unread` if its body did not arrive. Everything else is `taken`, even a
     * push with a wrong signature, so that the answer reveals nothing.
     */
    take: (path: string, message: HubMessage): Promise<"taken" | "gone" | "unread"> =>
      take(room, path, message).catch((error: unknown) => {
        room.log.warn("what the hub said was not taken in", { error });
        return "taken" as const;
      }),
  };
}

/** `failed`: the store can't be read now. */
async function findSubscription(
  { oneTimeTokens, feeds }: FeedsRoom,
  path: string,
): Promise<FoundSubscription | "absent" | "failed"> {
  const read = await oneTimeTokens.read(path);
  if (read.state !== "found") return read.state;
  const subscription = read.value.content as HubSubscription | null;
  // Tokens of other kinds, such as those of links, are not subscriptions.
  if (subscription?.kind !== "push") return "absent";
  const ref = { guildId: read.value.guildId, feedId: subscription.feedId };
  return (await feeds.read(ref)) === undefined ? "absent" : { ref, subscription };
}

async function answerChallenge(
  room: FeedsRoom,
  { ref, subscription }: FoundSubscription,
  { mode, topic, challenge, leaseSeconds }: HubQuestion,
): Promise<string | undefined> {
  const { database, feeds, feedJobs } = room;
  const { now, transaction } = database;
  // The feed may have been removed since.
  if ((await feeds.read(ref)) === undefined) return undefined;
  if (topic !== subscription.topic) return undefined;
  if (mode === "denied") {
    await stepDown(room, ref, subscription.leaseS);
    return "";
  }
  if (mode !== "subscribe" || !isChallenge(challenge)) return undefined;
  const pushUntil = now() + grantedLease(leaseSeconds, subscription.leaseS) * 1_000;
  const isNeeded = await transaction(async () => {
    const progress = await feeds.changeProgress(ref, (stored) => ({
      ...stored,
      pushUntil: Math.max(pushUntil, stored.pushUntil ?? 0),
    }));
    // It may have been removed or paused until here; from here on that waits.
    const stored = progress && (await feeds.read(ref));
    if (stored === undefined || !needsPushes(stored)) return false;
    await feedJobs.put("subscribe", ref, { dueAt: askAt(stored.progress, now()) });
    return true;
  });
  return isNeeded ? challenge : undefined;
}

function isChallenge(challenge: string | undefined): challenge is string {
  return challenge !== undefined && challenge !== "" && challenge.length <= longestChallenge;
}

/** A hub need not say why it denies a subscription. Perhaps the lease was too long, so a shorter one is requested. */
async function stepDown(
  { database, feeds, feedJobs, log }: FeedsRoom,
  ref: FeedRef,
  deniedS: number,
): Promise<void> {
  const at = { guild: ref.guildId, feed: ref.feedId, leaseS: deniedS };
  const leaseS = shorterLease(deniedS);
  let isNew = false;
  await database.transaction(async () => {
    await feeds.changeProgress(ref, (stored) => {
      // Denied twice, or after that lease was already given up.
      isNew = (stored.pushLeaseS ?? longestLeaseS) === deniedS;
      if (!isNew) return stored;
      const now = database.now();
      const { pushAskedAt = now, pushUntil } = stored;
      return {
        ...stored,
        pushLeaseS: leaseS,
        pushUntil: pushUntil === undefined ? undefined : Math.min(pushUntil, now),
        // A shorter lease is tried at once. After a hub has refused every lease, nothing is requested for a while.
        pushAskedAt: leaseS === allRefused ? pushAskedAt : undefined,
      };
    });
    if (isNew) await feedJobs.put("subscribe", ref);
  });
  if (!isNew) return;
  log.info("the hub denied a subscription", at);
  if (leaseS === allRefused) log.warn(everyLeaseRefused, at);
}

async function take(room: FeedsRoom, path: string, { signature, readBody }: HubMessage) {
  const found = await findSubscription(room, path);
  if (found === "absent") return "gone";
  if (found === "failed") return "taken";
  const body = await readBody();
  if (body === undefined) return "unread";
  const { ref, subscription } = found;
  const isTrusted = isSigned(body, signature, subscription.secret);
  const entries = isTrusted ? readAtom(body) : undefined;
  if (entries === undefined) {
    const words = isTrusted ? "a push could not be read" : "a push was not signed by the hub";
    room.log.warn(words, { guild: ref.guildId, feed: ref.feedId });
    return "taken";
  }
  const ids = entries
    .filter(({ channelId }) => subscription.topic.endsWith(`=${channelId}`))
    .map(({ videoId }) => videoId);
  const { servers } = room.database;
  if (ids.length > 0) await servers.runFor(ref.guildId, () => notePushed(room, ref, ids));
  return "taken";
}

/** Videos that were announced or skipped are left out, so that pushing them again costs nothing. */
function notePushed(
  { database, feeds, announcements, feedJobs }: FeedsRoom,
  ref: FeedRef,
  ids: readonly string[],
): Promise<void> {
  const { now, transaction } = database;
  return transaction(async () => {
    const stored = await feeds.read(ref);
    if (stored === undefined || !isFeedWatched(stored.feed)) return;
    const known = await announcements.known(ref, ids);
    const open = ids.filter((id) => (known.get(id)?.state ?? "awaited") === "awaited");
    if (open.length === 0) return;
    let pollInMs: number | undefined;
    await feeds.changeProgress(ref, (before) => {
      const { progress, ...after } = addPushed(before, open, now());
      pollInMs = after.pollInMs;
      return progress;
    });
    if (pollInMs !== undefined) await feedJobs.put("poll", ref, { dueAt: now() + pollInMs });
  });
}

/** Algorithms that a hub may sign with; YouTube's hub uses the first. */
const algorithms: ReadonlySet<string> = new Set(["sha1", "sha256", "sha384", "sha512"]);

/** Whether the body was signed with that secret (https://www.w3.org/TR/websub/#signing-content). */
export function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const [algorithm = "", digest = ""] = (signature ?? "").trim().split("=", 2);
  if (!algorithms.has(algorithm.toLowerCase()) || !/^[\da-f]+$/iu.test(digest)) return false;
  const sent = Buffer.from(digest, "hex");
  const due = createHmac(algorithm.toLowerCase(), secret).update(body).digest();
  return sent.length === due.length && timingSafeEqual(sent, due);
}
