import { LRUCache } from "lru-cache";
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
/** Then others have their turn. */
const turnMs = 30_000;
/** Who stops the process has so much patience with a call that is under way. */
const patienceMs = 2_500;
const pauseMs = { first: 1_000, longest: 30_000 } as const;
const lookEveryMs = 30_000;
const mostChannels = 1_000;

/** Has the decisions of each linked channel sent by a job, the only one of its channel. */
export function handleSending(deps: DecideDeps): void {
  const { jobs, database, records, clock, log } = deps;
  const lookedAtCache = new LRUCache<string, number>({ max: mostChannels });

  async function work({ key, signal }: Job): Promise<number | undefined> {
    const at = channelOf(key);
    const patient = patiently(signal);
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
      await sendSome(at, kind, patient);
    }
  }

  /** Ends later: what has left is not known before it is answered. */
  function patiently(signal: AbortSignal): AbortSignal {
    const patient = new AbortController();
    const end = () => void clock.after(patienceMs, () => patient.abort(signal.reason));
    signal.addEventListener("abort", end, { once: true });
    return patient.signal;
  }

  /** One call's worth. */
  async function sendSome(at: LinkedChannelRef, kind: DecisionKind, signal: AbortSignal) {
    let client: VideoClient;
    try {
      client = await clientFor(deps, at, signal);
    } catch (error) {
      signal.throwIfAborted();
      return refuse(at, kind, error);
    }
    const batch = await claimBatch(at, kind);
    if (batch.length === 0) return;
    const { sent, error } = await send(deps, { client, kind, batch }, signal);
    // Whoever does the job next looks how they stand.
    signal.throwIfAborted();
    await settleSurely(at, sent, signal);
    if (error !== undefined) await complain(at, error);
  }

  /** From here on they can't be taken back. */
  async function claimBatch({ guildId, source }: LinkedChannelRef, kind: DecisionKind) {
    const batch = await database.transaction(async () => {
      const claimed: HeldComment[] = [];
      for (const item of await due({ guildId, source }, kind)) {
        let isMine = false;
        // No card shows it: each would be drawn anew for a second.
        const sending = await records.comments.note(guildId, refOf(item), (stored) => {
          isMine = stored.status === "pending" && stored.decision?.at === item.decision?.at;
          if (!isMine) return stored;
          return { ...stored, status: "sending", decisions: deps.counts.next(countedOf(stored)) };
        });
        if (isMine && sending !== undefined) claimed.push(sending);
      }
      return claimed;
    });
    for (const item of batch) {
      if (item.decisions !== undefined) deps.counts.note(countedOf(item), item.decisions);
    }
    return batch;

    function countedOf({ comment, decisions: stored }: HeldComment) {
      return { guildId, commentId: comment.id, stored };
    }
  }

  async function due({ guildId, source }: LinkedChannelRef, kind: DecisionKind) {
    const pending = await records.comments.decided(guildId, {
      ...{ source, kind, status: "pending", limit: idsOfCall },
    });
    const now = database.now();
    return pending.filter(({ decision }) => (decision?.dueAt ?? now) <= now);
  }

  /** What came of them is known, and would have to be asked for again: a database that is away is waited for. */
  async function settleSurely(
    { guildId }: LinkedChannelRef,
    sent: readonly Sent[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let pause: number = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.longest)) {
      try {
        return await settle(deps, guildId, sent);
      } catch (error) {
        if (isGuildErased(error)) throw error;
        log.warn("what came of decisions was not written", { guild: guildId, error });
      }
      await new Promise<void>((resolve) => void clock.after(pause, resolve));
      signal.throwIfAborted();
    }
  }

  /** Puts back what can't be sent at present. @throws ServiceError `store_unavailable`. */
  async function refuse(at: LinkedChannelRef, kind: DecisionKind, reason: unknown) {
    const error = reason instanceof BotError ? reason : failed(reason);
    if (error.code === "store_unavailable") throw error;
    if (!(reason instanceof BotError)) log.error("decisions were not sent", { error: reason });
    const outcome = { state: "back", failure: failureOf(error) } as const;
    const refused = (await due(at, kind)).map((item): Sent => [item, outcome]);
    await settle(deps, at.guildId, refused);
    await complain(at, error);
  }

  /** What concerns all of a channel's decisions is met by a poll, too, which says it. */
  async function complain({ guildId, source }: LinkedChannelRef, error: BotError) {
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

  jobs.handle(sendQueue, options, work);
}
