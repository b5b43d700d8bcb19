import { abortLater, backOffMs } from "../../clock.ts";
import { BotError, isServerErased } from "../../errors.ts";
import { LostError } from "../../ownership.ts";
import type { VideoClient } from "../../video/index.ts";
import { classifyFailure } from "../failures/classify-failure.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type HeldComment,
  isKept,
  toItemRef,
} from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { pollQueue, watchJob } from "../watch-jobs.ts";
import { confirmDecisions } from "./confirm-decisions.ts";
import { delayFor, isSameDelay, withDelay } from "./delay.ts";
import { readDelay } from "./foresee-delay.ts";
import { clientFor, decisionFailedError, type SentDecision, sendBatch } from "./send-batch.ts";
import { type LinkedChannelRef, maxIdsPerCall, readyAt, sendQueue } from "./send-queue.ts";
import { settleDecisions } from "./settle-decisions.ts";

const sendQueueOptions = {
  concurrency: 16,
  perServer: 2,
  timeoutMs: 10 * 60_000,
  waitMs: { first: 1_000, longest: 60_000 },
} as const;
/** After this long a channel with many decisions makes room for others. */
const maxTurnMs = 30_000;
/** How long a running call may still take when the process stops. */
const callGraceMs = 2_500;
const settleBackOff = { firstMs: 1_000, longestMs: 30_000 } as const;
const earlyPollEveryMs = 30_000;
/** How often kept decisions are tried: quota may have been raised, or the channel linked again. */
const tryAgainMs = 5 * 60_000;

/** Registers the job that sends decisions. Each linked channel has one such job. */
export function handleSendQueue(room: ModerationRoom): void {
  const { database, records, clock } = room;
  room.jobs.handle(sendQueue, sendQueueOptions, async ({ key, signal }) => {
    const [guildId = "", ...source] = key.split(":");
    const at = { guildId, source: source.join(":") };
    // A running call gets time to answer: before that, its effect is unknown.
    const patient = abortLater(signal, callGraceMs, clock);
    const endsAt = database.now() + maxTurnMs;
    for (;;) {
      // Decisions that are `sending` when a job starts were left by a process that died.
      const checkAt = await confirmDecisions(room, at, patient);
      signal.throwIfAborted();
      const wanted = { source: at.source, limit: maxIdsPerCall };
      const pending = await records.comments.readPendingDecisions(guildId, wanted);
      const now = database.now();
      const kind = pending.find((one) => readyAt(one) <= now)?.kind;
      if (kind === undefined || now >= endsAt) {
        const next = Math.min(...pending.map(readyAt), checkAt ?? Number.POSITIVE_INFINITY);
        return next === Number.POSITIVE_INFINITY ? undefined : next;
      }
      const before = await readDelay(room, at);
      // Quota and links are checked without calling YouTube, so decisions that wait for those may be tried.
      const isTooEarly = before?.why === "service" && (before.failure.until ?? 0) > now;
      const delay = isTooEarly ? before : await sendOneBatch(room, { ...at, kind }, patient);
      if (delay === undefined) continue;
      await delayDue(room, at, delay);
      const again = now + tryAgainMs;
      return Math.min(again, delay.failure.until ?? again, checkAt ?? again);
    }
  });
}

/**
 * Notes with all due decisions of a channel why they are not sent, the latest first, because earlier ones have it already.
 * Those that need no call are settled.
 */
async function delayDue(
  room: ModerationRoom,
  { guildId, source }: LinkedChannelRef,
  delay: DecisionDelay,
): Promise<void> {
  const { database, records } = room;
  const at = database.now();
  let before: { readonly dueAt: number; readonly id: string } | undefined;
  for (;;) {
    const wanted = { source, at, before, limit: maxIdsPerCall };
    const page = await records.comments.readDue(guildId, wanted);
    const unmarked = page.filter(
      (item) => !isKept(item) && !isSameDelay(item.decision?.delay, delay),
    );
    await records.comments.changeAll(
      guildId,
      unmarked.map((item) => ({
        ref: toItemRef(item),
        make: (stored) =>
          stored.status === "pending" && stored.decision?.at === item.decision?.at
            ? withDelay(stored, { ...delay, since: at, tries: 0 })
            : stored,
      })),
    );
    const last = page.at(-1);
    const isMarked = unmarked.length === 0 && page.every((item) => !isKept(item));
    if (page.length < maxIdsPerCall || isMarked || last?.decision === undefined) return;
    before = { dueAt: last.decision.dueAt, id: last.id };
  }
}

/** A linked channel's decisions of one kind, which go into one call. */
interface KindRef extends LinkedChannelRef {
  readonly kind: DecisionKind;
}

/** Sends at most one call's worth of decisions. Returns why no more can be sent now, if that is so. */
async function sendOneBatch(
  room: ModerationRoom,
  of: KindRef,
  signal: AbortSignal,
): Promise<DecisionDelay | undefined> {
  const { guildId, kind } = of;
  const { records } = room;
  const kept = kind === "approve" ? await markSending(room, of, isKept) : [];
  if (kept.length > 0) {
    const sent = kept.map((item): SentDecision => [item, { state: "done" }]);
    await settleWithRetries(room, { guildId, sent }, signal);
    return undefined;
  }
  let client: VideoClient;
  try {
    client = await clientFor(room, of, signal);
  } catch (error) {
    signal.throwIfAborted();
    return keepForLater(room, of, error);
  }
  const batch = await markSending(room, of);
  if (batch.length === 0) return undefined;
  const { sent, error } = await sendBatch(room, { client, kind, batch }, signal);
  // If stopped here, or another process has the job, the next run finds out what happened to them.
  signal.throwIfAborted();
  if (error instanceof LostError) throw error;
  await settleWithRetries(room, { guildId, sent }, signal);
  if (error !== undefined) await pollEarly(room, of, error);
  const delayed = sent.find(([, { state }]) => state === "delayed");
  if (delayed === undefined) return undefined;
  return (await records.comments.read(guildId, toItemRef(delayed[0])))?.decision?.delay;
}

/** Marks due decisions as `sending`. From here on they can't be undone. */
async function markSending(
  room: ModerationRoom,
  of: KindRef,
  isWanted: (item: HeldComment) => boolean = () => true,
): Promise<readonly HeldComment[]> {
  const { database, records, counts } = room;
  const { guildId } = of;
  const counted = ({ comment, decisions: stored }: HeldComment) => {
    return { guildId, commentId: comment.id, stored };
  };
  const batch = await database.transaction(async () => {
    const marked: HeldComment[] = [];
    for (const item of (await readDue(room, of)).filter(isWanted)) {
      let isMine = false;
      // Not shown on cards: each would be redrawn for a second only.
      const sending = await records.comments.changeSilently(guildId, toItemRef(item), (stored) => {
        isMine = stored.status === "pending" && stored.decision?.at === item.decision?.at;
        if (!isMine) return stored;
        // A decision that is tried again has been counted.
        if ((stored.decision?.delay?.tries ?? 0) > 0) return { ...stored, status: "sending" };
        return { ...stored, status: "sending", decisions: counts.next(counted(stored)) };
      });
      if (isMine && sending !== undefined) marked.push(sending);
    }
    return marked;
  });
  for (const item of batch) {
    if (item.decisions !== undefined) counts.note(counted(item), item.decisions);
  }
  return batch;
}

async function readDue({ database, records }: ModerationRoom, { guildId, source, kind }: KindRef) {
  const wanted = { source, kind, status: "pending", limit: maxIdsPerCall } as const;
  const pending = await records.comments.readDecided(guildId, wanted);
  const now = database.now();
  return pending.filter(({ decision }) => (decision?.dueAt ?? now) <= now);
}

/** Waits for the database if it is down: the outcomes are known now and would be lost otherwise. */
async function settleWithRetries(
  room: ModerationRoom,
  { guildId, sent }: { readonly guildId: string; readonly sent: readonly SentDecision[] },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = room;
  for (let failures = 1; ; failures += 1) {
    try {
      return await settleDecisions(room, guildId, sent);
    } catch (error) {
      if (isServerErased(error)) throw error;
      log.warn("what came of decisions was not written", { guild: guildId, error });
    }
    const waitMs = backOffMs(failures, settleBackOff);
    await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    signal.throwIfAborted();
  }
}

/**
 * Keeps decisions that can't be sent at present, and returns them to people where that does not pass by itself.
 * @throws ServiceError `store_unavailable`.
 */
async function keepForLater(
  room: ModerationRoom,
  of: KindRef,
  reason: unknown,
): Promise<DecisionDelay | undefined> {
  const error = reason instanceof BotError ? reason : decisionFailedError(reason);
  if (error.code === "store_unavailable") throw error;
  if (!(reason instanceof BotError)) room.log.error("decisions were not sent", { error: reason });
  const before = await readDelay(room, of);
  const unsent = await readDue(room, of);
  const outcome = { state: "delayed", cause: error } as const;
  await settleDecisions(
    room,
    of.guildId,
    unsent.map((item): SentDecision => [item, outcome]),
  );
  const delay = delayFor(error, room.database.now(), before);
  if (delay === undefined || delay.why !== before?.why) await pollEarly(room, of, error);
  return delay;
}

/** If an error affects the whole channel, polls its watches early: a poll meets the same error and notifies people. */
async function pollEarly(
  { database, records, jobs, earlyPollCache }: ModerationRoom,
  { guildId, source }: LinkedChannelRef,
  error: BotError,
): Promise<void> {
  const failure = classifyFailure(error)?.code;
  const isOfAll =
    failure === "link_broken" || failure === "link_missing" || error.code === "quota_exceeded";
  const key = `${guildId}:${source}`;
  const now = database.now();
  if (!isOfAll || now - (earlyPollCache.get(key) ?? 0) < earlyPollEveryMs) return;
  earlyPollCache.set(key, now);
  for (const watch of await records.watches.readAll(guildId)) {
    if (watch.source !== source || watch.paused !== undefined) continue;
    await jobs.put(watchJob(pollQueue, { guildId, watchId: watch.id }));
  }
}
