import type { Read, Ticket } from "../../store/index.ts";
import type { FeedsOptions } from "../parts.ts";
import type { FeedRef, Rows } from "../rows.ts";
import type { Runner } from "../runner.ts";
import { readAtom } from "./atom.ts";
import type { Hub, HubQuestion } from "./hub.ts";
import { isSigned } from "./secret.ts";
import type { Subscription } from "./subscription.ts";

export interface ReceiveParts extends Pick<FeedsOptions, "clock" | "log"> {
  readonly store: Pick<FeedsOptions["store"], "tickets" | "guilds">;
  readonly rows: Rows;
  readonly runner: Pick<Runner, "wake">;
}

const longestChallenge = 1_024;
const minuteS = 60;
/** Hubs are believed this much; what they forget is asked for anew. */
const longestLeaseS = 30 * 86_400;

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
      log.info("the hub denied a subscription", { guild: ref.guildId, feed: ref.feedId });
      await rows.changeProgress(ref, ({ pushUntil: _, ...stored }) => stored);
      return "";
    }
    // Nothing here ever asks to be told no more: such a question is somebody else's.
    if (mode !== "subscribe" || !challenge || challenge.length > longestChallenge) return undefined;
    const pushUntil = clock.now() + leaseOf(leaseSeconds) * 1_000;
    await rows.changeProgress(ref, (stored) => ({
      ...stored,
      pushUntil: Math.max(pushUntil, stored.pushUntil ?? 0),
    }));
    return challenge;
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

/** Tickets of other kinds, such as links under way, are no subscription. */
function subscriptionIn(read: Read<Ticket>): Subscription | undefined {
  if (read.state !== "found") return undefined;
  const content = read.value.content as Partial<Subscription> | null;
  return content?.kind === "push" ? (content as Subscription) : undefined;
}

function leaseOf(text: string | undefined): number {
  const seconds = /^\d{1,10}$/u.test(text ?? "") ? Number(text) : 0;
  return Math.min(longestLeaseS, Math.max(minuteS, seconds));
}
