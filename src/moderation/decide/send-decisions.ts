import { type Cache, createCache } from "../../cache.ts";
import { abortedLater, backOffMs } from "../../clock.ts";
import { BotError, isGuildErased } from "../../errors.ts";
import type { Job } from "../../jobs/index.ts";
import type { VideoClient } from "../../video/index.ts";
import { type DecisionKind, type HeldComment, refOf } from "../records/index.ts";
import { troubleOf } from "../trouble/index.ts";
import { pollQueue, watchJob } from "../watch-jobs.ts";
import type { DecideDeps, LinkedChannelRef } from "./parts.ts";
import { clientFor, failed, failureOf, send } from "./send.ts";
import { channelOf, idsOfCall, nextReadyAt, readyKind, sendQueue } from "./send-queue.ts";
import { type Sent, settle } from "./settle.ts";
import { confirmDecisions } from "./unconfirmed.ts";

const options = {
  concurrency: 16,
  perServer: 2,
  timeoutMs: 10 * 60_000,
  waitMs: { first: 1_000, longest: 60_000 },
} as const;
/** A channel with many decisions gives way to others after so long. */
const turnMs = 30_000;
/** How long a call that is under way may still take once the process is being stopped. */
const patienceMs = 2_500;
const writeAgain = { firstMs: 1_000, longestMs: 30_000 } as const;
const lookEveryMs = 30_000;
const mostChannels = 1_000;

interface SendDeps extends DecideDeps {
  /** When a linked channel's watches were last polled because of a trouble, by channel. */
  readonly lookedAtCache: Cache<number>;
}

/** Has the decisions of each linked channel sent by a job, the only one of its channel. */
export function handleSending(given: DecideDeps): void {
  const deps: SendDeps = { ...given, lookedAtCache: createCache({ maxSize: mostChannels }) };
  deps.jobs.handle(sendQueue, options, (job) => work(deps, job));
}

async function work(deps: SendDeps, { key, signal }: Job): Promise<number | undefined> {
  const { database, records, clock } = deps;
  const at = channelOf(key);
  // What has left is not known before it is answered.
  const patient = abortedLater(signal, patienceMs, clock);
  const endsAt = database.now() + turnMs;
  for (;;) {
    // What is on its way when a job begins was left so by a process that ended.
    const lookAt = await confirmDecisions(deps, at, patient);
    signal.throwIfAborted();
    const pending = await records.comments.pendingDecisions(at.guildId, at.source, idsOfCall);
    const kind = readyKind(pending, database.now());
    if (kind === undefined || database.now() >= endsAt) {
      const next = Math.min(nextReadyAt(pending), lookAt ?? Number.POSITIVE_INFINITY);
      return next === Number.POSITIVE_INFINITY ? undefined : next;
    }
    await sendSome(deps, { ...at, kind }, patient);
  }
}

/** Decisions that go in one call. */
interface KindRef extends LinkedChannelRef {
  readonly kind: DecisionKind;
}

/** One call's worth. */
async function sendSome(deps: SendDeps, of: KindRef, signal: AbortSignal): Promise<void> {
  const { guildId, kind } = of;
  let client: VideoClient;
  try {
    client = await clientFor(deps, of, signal);
  } catch (error) {
    signal.throwIfAborted();
    return refuse(deps, of, error);
  }
  const batch = await claimBatch(deps, of);
  if (batch.length === 0) return;
  const { sent, error } = await send(deps, { client, kind, batch }, signal);
  // Whoever does the job next looks how they stand.
  signal.throwIfAborted();
  await settleSurely(deps, { guildId, sent }, signal);
  if (error !== undefined) await complain(deps, of, error);
}

/** From here on they can't be taken back. */
async function claimBatch(deps: SendDeps, of: KindRef): Promise<readonly HeldComment[]> {
  const { database, records, counts } = deps;
  const { guildId } = of;
  const countedOf = ({ comment, decisions: stored }: HeldComment) => {
    return { guildId, commentId: comment.id, stored };
  };
  const batch = await database.transaction(async () => {
    const claimed: HeldComment[] = [];
    for (const item of await dueNow(deps, of)) {
      let isMine = false;
      // No card shows it: each would be drawn anew for a second.
      const sending = await records.comments.note(guildId, refOf(item), (stored) => {
        isMine = stored.status === "pending" && stored.decision?.at === item.decision?.at;
        if (!isMine) return stored;
        return { ...stored, status: "sending", decisions: counts.next(countedOf(stored)) };
      });
      if (isMine && sending !== undefined) claimed.push(sending);
    }
    return claimed;
  });
  for (const item of batch) {
    if (item.decisions !== undefined) counts.note(countedOf(item), item.decisions);
  }
  return batch;
}

async function dueNow({ database, records }: SendDeps, { guildId, source, kind }: KindRef) {
  const pending = await records.comments.decided(guildId, {
    ...{ source, kind, status: "pending", limit: idsOfCall },
  });
  const now = database.now();
  return pending.filter(({ decision }) => (decision?.dueAt ?? now) <= now);
}

/** What came of them is known, and would have to be asked for again: a database that is away is waited for. */
async function settleSurely(
  deps: SendDeps,
  { guildId, sent }: { readonly guildId: string; readonly sent: readonly Sent[] },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = deps;
  for (let failures = 1; ; failures += 1) {
    try {
      return await settle(deps, guildId, sent);
    } catch (error) {
      if (isGuildErased(error)) throw error;
      log.warn("what came of decisions was not written", { guild: guildId, error });
    }
    const waitMs = backOffMs(failures, writeAgain);
    await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    signal.throwIfAborted();
  }
}

/** Puts back what can't be sent at present. @throws ServiceError `store_unavailable`. */
async function refuse(deps: SendDeps, of: KindRef, reason: unknown): Promise<void> {
  const error = reason instanceof BotError ? reason : failed(reason);
  if (error.code === "store_unavailable") throw error;
  if (!(reason instanceof BotError)) deps.log.error("decisions were not sent", { error: reason });
  const outcome = { state: "back", failure: failureOf(error) } as const;
  const refused = (await dueNow(deps, of)).map((item): Sent => [item, outcome]);
  await settle(deps, of.guildId, refused);
  await complain(deps, of, error);
}

/** What concerns all of a channel's decisions is met by a poll, too, which says it. */
async function complain(
  { database, records, jobs, lookedAtCache }: SendDeps,
  { guildId, source }: LinkedChannelRef,
  error: BotError,
): Promise<void> {
  const trouble = troubleOf(error)?.code;
  const isOfAll =
    trouble === "link_broken" || trouble === "link_missing" || error.code === "quota_exceeded";
  const key = `${guildId}:${source}`;
  const now = database.now();
  if (!isOfAll || now - (lookedAtCache.get(key) ?? 0) < lookEveryMs) return;
  lookedAtCache.set(key, now);
  for (const watch of await records.watches.all(guildId)) {
    if (watch.source !== source || watch.paused !== undefined) continue;
    await jobs.put(watchJob(pollQueue, { guildId, watchId: watch.id }));
  }
}
