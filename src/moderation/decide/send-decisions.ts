import { type Cache, createCache } from "../../cache.ts";
import { abortLater, backOffMs } from "../../clock.ts";
import { BotError, isGuildErased } from "../../errors.ts";
import type { Job } from "../../jobs/index.ts";
import { LostError } from "../../ownership.ts";
import type { VideoClient } from "../../video/index.ts";
import {
  type DecisionDelay,
  type DecisionKind,
  type HeldComment,
  isKept,
  itemRefOf,
} from "../records/index.ts";
import { classifyTrouble } from "../trouble/index.ts";
import { pollQueue, watchJob } from "../watch-jobs.ts";
import { confirmDecisions } from "./confirm-decisions.ts";
import { delayFor, isHeldBack, isSameDelay, withDelay } from "./delay.ts";
import type { DecideDeps, LinkedChannelRef } from "./deps.ts";
import { readDelay } from "./foresee-delay.ts";
import { clientFor, decisionFailedError, type SentDecision, sendBatch } from "./send-batch.ts";
import {
  findReadyKind,
  maxIdsPerCall,
  nextReadyAt,
  parseSendKey,
  sendQueue,
} from "./send-queue.ts";
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
const lookEveryMs = 30_000;
const maxChannels = 1_000;
/** How often kept decisions are tried: quota may have been raised, or the channel linked again. */
const tryAgainMs = 5 * 60_000;

interface SendDeps extends DecideDeps {
  /** When a channel's watches were last polled early because of a trouble, by channel. */
  readonly lookedAtCache: Cache<number>;
}

/** Registers the job that sends decisions. Each linked channel has one such job. */
export function handleSendQueue(decideDeps: DecideDeps): void {
  const deps: SendDeps = { ...decideDeps, lookedAtCache: createCache({ maxSize: maxChannels }) };
  deps.jobs.handle(sendQueue, sendQueueOptions, (job) => runSendJob(deps, job));
}

async function runSendJob(deps: SendDeps, { key, signal }: Job): Promise<number | undefined> {
  const { database, records, clock } = deps;
  const at = parseSendKey(key);
  // A running call gets time to answer: before that, its effect is unknown.
  const patient = abortLater(signal, callGraceMs, clock);
  const endsAt = database.now() + maxTurnMs;
  for (;;) {
    // Decisions that are `sending` when a job starts were left by a process that died.
    const lookAt = await confirmDecisions(deps, at, patient);
    signal.throwIfAborted();
    const pending = await records.comments.readPendingDecisions(
      at.guildId,
      at.source,
      maxIdsPerCall,
    );
    const now = database.now();
    const kind = findReadyKind(pending, now);
    if (kind === undefined || now >= endsAt) {
      const next = Math.min(nextReadyAt(pending), lookAt ?? Number.POSITIVE_INFINITY);
      return next === Number.POSITIVE_INFINITY ? undefined : next;
    }
    const before = await readDelay(deps, at);
    const isWaiting = before !== undefined && isHeldBack(before, now);
    const delay = isWaiting ? before : await sendOneBatch(deps, { ...at, kind }, patient);
    if (delay !== undefined) {
      await delayDue(deps, at, delay);
      return Math.min(
        now + tryAgainMs,
        delay.failure.until ?? now + tryAgainMs,
        lookAt ?? now + tryAgainMs,
      );
    }
  }
}

/**
 * Notes with all due decisions of a channel why they are not sent, the latest first, because earlier ones have it already.
 * Those that need no call are settled.
 */
async function delayDue(
  deps: SendDeps,
  { guildId, source }: LinkedChannelRef,
  delay: DecisionDelay,
): Promise<void> {
  const { database, records } = deps;
  const at = database.now();
  let before: { readonly dueAt: number; readonly id: string } | undefined;
  for (;;) {
    const page = await records.comments.readDue(guildId, {
      source,
      at,
      before,
      limit: maxIdsPerCall,
    });
    const untold = page.filter(
      (item) => !isKept(item) && !isSameDelay(item.decision?.delay, delay),
    );
    await records.comments.changeAll(
      guildId,
      untold.map((item) => ({
        ref: itemRefOf(item),
        make: (stored) =>
          stored.status === "pending" && stored.decision?.at === item.decision?.at
            ? withDelay(stored, { ...delay, since: at, tries: 0 })
            : stored,
      })),
    );
    const last = page.at(-1);
    const isTold = untold.length === 0 && page.every((item) => !isKept(item));
    if (page.length < maxIdsPerCall || isTold || last?.decision === undefined) return;
    before = { dueAt: last.decision.dueAt, id: last.id };
  }
}

/** A linked channel's decisions of one kind, which go into one call. */
interface KindRef extends LinkedChannelRef {
  readonly kind: DecisionKind;
}

/** Sends at most one call's worth of decisions. Returns why no more can be sent now, if that is so. */
async function sendOneBatch(
  deps: SendDeps,
  of: KindRef,
  signal: AbortSignal,
): Promise<DecisionDelay | undefined> {
  const { guildId, kind } = of;
  const { records } = deps;
  const kept = kind === "approve" ? await claimBatch(deps, of, isKept) : [];
  if (kept.length > 0) {
    const sent = kept.map((item): SentDecision => [item, { state: "done" }]);
    await settleWithRetries(deps, { guildId, sent }, signal);
    return undefined;
  }
  let client: VideoClient;
  try {
    client = await clientFor(deps, of, signal);
  } catch (error) {
    signal.throwIfAborted();
    return keepForLater(deps, of, error);
  }
  const batch = await claimBatch(deps, of);
  if (batch.length === 0) return undefined;
  const { sent, error } = await sendBatch(deps, { client, kind, batch }, signal);
  // If stopped here, or another process has the job, the next run finds out what happened to them.
  signal.throwIfAborted();
  if (error instanceof LostError) throw error;
  await settleWithRetries(deps, { guildId, sent }, signal);
  if (error !== undefined) await pollForTrouble(deps, of, error);
  const delayed = sent.find(([, { state }]) => state === "delayed");
  if (delayed === undefined) return undefined;
  return (await records.comments.read(guildId, itemRefOf(delayed[0])))?.decision?.delay;
}

/** Marks due decisions as `sending`. From here on they can't be undone. */
async function claimBatch(
  deps: SendDeps,
  of: KindRef,
  isWanted: (item: HeldComment) => boolean = () => true,
): Promise<readonly HeldComment[]> {
  const { database, records, counts } = deps;
  const { guildId } = of;
  const countedOf = ({ comment, decisions: stored }: HeldComment) => {
    return { guildId, commentId: comment.id, stored };
  };
  const batch = await database.transaction(async () => {
    const claimed: HeldComment[] = [];
    for (const item of (await readDue(deps, of)).filter(isWanted)) {
      let isMine = false;
      // Not shown on cards: each would be redrawn for a second only.
      const sending = await records.comments.changeSilently(guildId, itemRefOf(item), (stored) => {
        isMine = stored.status === "pending" && stored.decision?.at === item.decision?.at;
        if (!isMine) return stored;
        // A decision that is tried again has been counted.
        if ((stored.decision?.delay?.tries ?? 0) > 0) return { ...stored, status: "sending" };
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

async function readDue({ database, records }: SendDeps, { guildId, source, kind }: KindRef) {
  const pending = await records.comments.readDecided(guildId, {
    source,
    kind,
    status: "pending",
    limit: maxIdsPerCall,
  });
  const now = database.now();
  return pending.filter(({ decision }) => (decision?.dueAt ?? now) <= now);
}

/** Waits for the database if it is down: the outcomes are known now and would be lost otherwise. */
async function settleWithRetries(
  deps: SendDeps,
  { guildId, sent }: { readonly guildId: string; readonly sent: readonly SentDecision[] },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = deps;
  for (let failures = 1; ; failures += 1) {
    try {
      return await settleDecisions(deps, guildId, sent);
    } catch (error) {
      if (isGuildErased(error)) throw error;
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
  deps: SendDeps,
  of: KindRef,
  reason: unknown,
): Promise<DecisionDelay | undefined> {
  const error = reason instanceof BotError ? reason : decisionFailedError(reason);
  if (error.code === "store_unavailable") throw error;
  if (!(reason instanceof BotError)) deps.log.error("decisions were not sent", { error: reason });
  const before = await readDelay(deps, of);
  const unsent = await readDue(deps, of);
  const outcome = { state: "delayed", cause: error } as const;
  await settleDecisions(
    deps,
    of.guildId,
    unsent.map((item): SentDecision => [item, outcome]),
  );
  const delay = delayFor(error, deps.database.now(), before);
  if (delay === undefined || delay.why !== before?.why) await pollForTrouble(deps, of, error);
  return delay;
}

/** If an error affects the whole channel, polls its watches early: a poll meets the same error and notifies people. */
async function pollForTrouble(
  { database, records, jobs, lookedAtCache }: SendDeps,
  { guildId, source }: LinkedChannelRef,
  error: BotError,
): Promise<void> {
  const trouble = classifyTrouble(error)?.code;
  const isOfAll =
    trouble === "link_broken" || trouble === "link_missing" || error.code === "quota_exceeded";
  const key = `${guildId}:${source}`;
  const now = database.now();
  if (!isOfAll || now - (lookedAtCache.get(key) ?? 0) < lookEveryMs) return;
  lookedAtCache.set(key, now);
  for (const watch of await records.watches.readAll(guildId)) {
    if (watch.source !== source || watch.paused !== undefined) continue;
    await jobs.put(watchJob(pollQueue, { guildId, watchId: watch.id }));
  }
}
