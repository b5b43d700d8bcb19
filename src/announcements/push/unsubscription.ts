import { createHash } from "node:crypto";
import { minuteMs } from "../../clock.ts";
import type { JobData, NewJob, QueueOptions } from "../../jobs/index.ts";
import type { PushToken } from "../../store/index.ts";
import type { FeedRef } from "../feed-records.ts";
import { needsPushes } from "../record.ts";
import type { FeedsRoom } from "../room.ts";
import {
  askHub,
  type HubSubscription,
  type HubTurn,
  isHubUsable,
  spareMs,
} from "./subscription.ts";

/** A subscription that has to end. It belongs to no server: the feed, or the whole server, may be gone. */
interface Unsubscription {
  readonly path: string;
  readonly topic: string;
  readonly since: number;
  /** When it ends by itself. */
  readonly until: number;
  /** Whether the hub has asked back, and was told that this is wanted. */
  readonly isConfirmed?: boolean;
}

const queue = "feeds.unsubscribe";
const options = {
  concurrency: 1,
  perServer: 1,
  timeoutMs: minuteMs,
} as const satisfies QueueOptions;
/** After the first request; each later wait doubles the time since. */
const firstWaitMs = 5 * minuteMs;
/** Of a feed's callbacks, so many of the latest: a hub that shortens leases has ended the others. */
const maxLive = 4;

/** The jobs that end these subscriptions at the hub. */
export function unsubscribeJobs(pushes: readonly PushToken[], now: number): readonly NewJob[] {
  const counts = new Map<string, number>();
  return pushes.flatMap(({ token: path, content, expiresAt }) => {
    // All callbacks' tokens have this content.
    const { feedId, topic } = content as HubSubscription;
    const until = expiresAt - spareMs;
    const count = counts.get(feedId) ?? 0;
    if (until <= now || count >= maxLive) return [];
    counts.set(feedId, count + 1);
    return [unsubscribeJob({ path, topic, since: now, until })];
  });
}

function unsubscribeJob(
  wanted: Unsubscription,
  at?: Pick<NewJob, "dueAt" | "isPostponed">,
): NewJob {
  // Only texts, numbers and flags.
  return { queue, key: jobKey(wanted.path), data: wanted as unknown as JobData, ...at };
}

function jobKey(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}

/** Ends the pushes of a feed that is removed; part of the transaction that removes it. */
export async function endPushes(
  { database, jobs, oneTimeTokens }: FeedsRoom,
  { guildId, feedId }: FeedRef,
): Promise<void> {
  const all = await oneTimeTokens.pushes(guildId);
  const own = all.filter(({ content }) => (content as HubSubscription).feedId === feedId);
  for (const job of unsubscribeJobs(own, database.now())) await jobs.put(job);
  for (const { token } of own) await oneTimeTokens.take(token);
}

/** Ends the pushes of a feed that stays but can't use them, unless it needs them again by then. */
export async function pausePushes(room: FeedsRoom, ref: FeedRef): Promise<void> {
  const { database, feeds } = room;
  await database.transaction(async () => {
    // Changes nothing, but locks the row until the transaction ends.
    await feeds.changeProgress(ref, (stored) => stored);
    const stored = await feeds.read(ref);
    if (stored?.progress.pushAskedAt === undefined || needsPushes(stored)) return;
    await endPushes(room, ref);
    await feeds.changeProgress(ref, ({ pushUntil: _, pushAskedAt: _a, ...rest }) => rest);
  });
}

/** Asks the hub to end subscriptions until it has asked back, at most until they end by themselves. */
export function handleUnsubscribes(room: FeedsRoom, turn: HubTurn): void {
  const { database, jobs, log } = room;
  jobs.handle(queue, options, async ({ data, signal }) => {
    const { path, topic, since, until, isConfirmed } = data as unknown as Unsubscription;
    if (!isHubUsable(room.hub) || until <= database.now()) return undefined;
    // The hub may have missed the answer and ask again.
    if (isConfirmed) return until;
    await turn(signal);
    await askHub(room, path, { "hub.mode": "unsubscribe", "hub.topic": topic }).then(
      ({ status }) => {
        if (status > 299) log.info("the hub did not end a subscription", { status });
      },
      (error: unknown) => log.info("the hub was not reached to end a subscription", { error }),
    );
    const now = database.now();
    return Math.min(until, now + Math.max(firstWaitMs, now - since));
  });
}

/** Whether that subscription has to end; then the hub is not asked any more. */
export async function noteUnsubscribed(
  { jobs }: FeedsRoom,
  path: string,
  topic: string,
): Promise<boolean> {
  // Only this queue's jobs have this data.
  const wanted = (await jobs.read(queue, jobKey(path))) as unknown as Unsubscription | undefined;
  if (wanted === undefined || wanted.topic !== topic) return false;
  const at = { dueAt: wanted.until, isPostponed: true };
  if (!wanted.isConfirmed) await jobs.put(unsubscribeJob({ ...wanted, isConfirmed: true }, at));
  return true;
}
