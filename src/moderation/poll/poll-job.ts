import { pacificDate } from "../../budget/index.ts";
import { withTimeout } from "../../clock.ts";
import { LimitError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";
import {
  classifyFailure,
  isOfLink,
  type NoticedFailure,
  retryDelayMs,
} from "../failures/classify-failure.ts";
import { endFailures, noteFailure, notePostFailure } from "../failures/note-failures.ts";
import {
  toPublicWatch,
  type Watch,
  type WatchProgress,
  type WatchWithProgress,
} from "../records/index.ts";
import type { ModerationRoom, PublicView, ServerWatch } from "../room.ts";
import type { CommentAdviser } from "../rules/judge.ts";
import { handleWatchJobs, pollQueue } from "../watch-jobs.ts";
import { createPoll, type Poll, type PollResult } from "./poll.ts";

const sweepEveryMs = 3_600_000;
/** How long a consent that is over is not tried again, while the key reads instead. */
const linkRetryMs = 2 * 60_000;
/** A sweep reads lists to their ends. With fewer spare units than this only the first pages are read. */
const sweepUnits = 20;
const pollTimeoutMs = 60_000;
/** Waiting a little too long is better than a poll that is refused right at midnight. */
const afterResetMs = 30_000;

/** A watch as it was when its poll began. */
interface WatchPoll extends WatchWithProgress {
  readonly guildId: string;
  readonly signal: AbortSignal;
  readonly poll: Poll;
}

/** With what a poll reads: the channel's own consent, or the server's key. */
interface PollReader {
  readonly client: () => Promise<VideoClient>;
  readonly view?: PublicView | undefined;
}

/** Polls a watch once; the job is due again when the next poll is. */
export function handlePollQueue(room: ModerationRoom, advise: CommentAdviser): void {
  const poll = createPoll(room, advise);
  handleWatchJobs(room, pollQueue, async ({ guildId, watchId, signal }) => {
    const known = await room.records.watches.readWithProgress(guildId, watchId);
    // `resume` starts the job again.
    if (known === undefined || known.watch.paused !== undefined) return undefined;
    return pollWatch(room, { ...known, guildId, signal, poll });
  });
}

/** Reads as the channel. Where that is not linked, or its consent is over, the server's key reads what is published. */
async function pollWatch(room: ModerationRoom, at: WatchPoll): Promise<number | undefined> {
  const { guildId, watch, progress } = at;
  const linkedAt = await room.linkedAt(guildId, watch.source);
  const code = linkedAt === undefined ? "link_missing" : "link_broken";
  // While a consent is over, Google is not asked at every poll; a new link is tried at once.
  const triedAt = room.brokenLinkCache.get(linkKey(at)) ?? 0;
  const isBroken =
    progress.troubles.link_broken !== undefined &&
    triedAt >= (linkedAt ?? 0) &&
    room.database.now() < triedAt + linkRetryMs;
  if (linkedAt === undefined || isBroken) {
    const view = await room.publicView(guildId);
    if (view !== undefined) return pollByKey(room, at, { view, code });
  }
  return pollWith(room, at, { client: () => room.video(guildId, watch.source) });
}

function linkKey({ guildId, watch }: WatchPoll): string {
  return `${guildId}:${watch.source}`;
}

interface KeyPoll {
  readonly view: PublicView;
  /** Why it is not read as the channel. */
  readonly code: "link_broken" | "link_missing";
}

async function pollByKey(
  room: ModerationRoom,
  at: WatchPoll,
  { view, code }: KeyPoll,
): Promise<number | undefined> {
  const { guildId, watch, progress, signal } = at;
  if (code === "link_missing") await setKeyOnly(room, at, true);
  const known = progress.troubles[code];
  if (known?.isTold !== true || known.readsByKey !== true) {
    await noteFailure(room, { guildId, watch }, { code, times: 1, readsByKey: true });
  }
  signal.throwIfAborted();
  const now = await room.records.watches.readWithProgress(guildId, watch.id);
  if (now === undefined) return undefined;
  return pollWith(room, { ...at, ...now }, { client: async () => view.video, view });
}

/** Notes whether a watch has nothing but the key. Its cards, which offer something else then, are drawn again after a crash too. */
async function setKeyOnly(
  room: ModerationRoom,
  { guildId, watch }: WatchPoll,
  isKeyOnly: boolean,
): Promise<void> {
  const { watches, comments } = room.records;
  const { id, source } = watch;
  if ((watch.isKeyOnly === true) === isKeyOnly) return;
  await room.database.transaction(async () => {
    await watches.change(guildId, id, (stored) =>
      stored?.source === source ? { ...stored, isKeyOnly: isKeyOnly || undefined } : stored,
    );
    await comments.redrawWaiting(guildId, id);
  });
}

async function pollWith(
  room: ModerationRoom,
  at: WatchPoll,
  reader: PollReader,
): Promise<number | undefined> {
  const { log, onPoll, pace, random } = room;
  const { now } = room.database;
  const { guildId, watch, progress, signal } = at;
  const { view } = reader;
  const units = { count: 0 };
  try {
    const turnOf = await pace.turnOf(guildId, view ? toPublicWatch(watch) : watch, view);
    const { goneUntil, spareUnits } = turnOf(progress);
    if (goneUntil !== undefined) {
      onPoll?.("units_gone");
      const noticed = { code: "units_gone", until: goneUntil } as const;
      return await saveFailure(room, at, { noticed, units: 0 });
    }
    const isSweep = now() - (progress.sweptAt ?? 0) >= sweepEveryMs && spareUnits >= sweepUnits;
    const polled = await runPoll(room, at, { isSweep, spareUnits, units, reader });
    if (polled === undefined) return now();
    const effect = { ...polled, isSweep, units: units.count, at: now() };
    const { inMs } = turnOf(progressAfter(progress, effect));
    const nextPollAt = now() + inMs * (0.95 + random() * 0.1);
    onPoll?.("done");
    const stored = await room.records.watches.advanceProgress(guildId, at, (before) => ({
      ...progressAfter(before, effect),
      nextPollAt,
    }));
    if (stored === undefined) return now();
    if (view === undefined) await setKeyOnly(room, at, false);
    const by = view === undefined ? "poll" : "key";
    await endFailures(room, at, { troubles: stored.troubles, by }).catch((error: unknown) =>
      notePostFailure(room, at, error),
    );
    return nextPollAt;
  } catch (error) {
    const noticed = classifyFailure(error);
    if (signal.aborted || noticed === undefined) throw error;
    const { code } = noticed;
    const isLink = isOfLink(code);
    const instead = isLink && view === undefined ? await room.publicView(guildId) : undefined;
    if (isLink && instead !== undefined) {
      room.brokenLinkCache.set(linkKey(at), now());
      log.info("a channel's consent is over, so its comments are read with the key", {
        guild: guildId,
        watch: watch.id,
      });
      return pollByKey(room, at, { view: instead, code });
    }
    log.warn("a watch was not polled", { guild: guildId, watch: watch.id, error });
    onPoll?.(error instanceof Error && "code" in error ? String(error.code) : "error");
    if (!isLink) return saveFailure(room, at, { noticed, units: units.count, error });
    // With a key, a channel that can't be read has nothing to do with its link.
    const seen = view === undefined ? noticed : ({ code: "service_failing" } as const);
    return saveFailure(room, at, { noticed: seen, units: units.count, error });
  }
}

interface PollSpending {
  readonly isSweep: boolean;
  readonly spareUnits: number;
  readonly units: UnitCount;
  readonly reader: PollReader;
}

/** Undefined if the watch was removed or now watches another channel. */
async function runPoll(
  room: ModerationRoom,
  { guildId, watch, progress, signal, poll }: WatchPoll,
  { isSweep, spareUnits, units, reader }: PollSpending,
): Promise<PollResult | undefined> {
  const video = await reader.client();
  const isByKey = reader.view !== undefined;
  const client: VideoClient = {
    // Each list call costs one unit.
    call: (...args) => {
      units.count += 1;
      return video.call(...args);
    },
    pages: video.pages,
  };
  const most = isSweep ? spareUnits / 4 : Math.min(spareUnits / 20, 10);
  const options = {
    guildId,
    watch: isByKey ? toPublicWatch(watch) : watch,
    progress,
    isSweep,
    spareUnits: most,
    isByKey,
    since: readSince(watch, progress, isByKey),
  };
  return withTimeout(
    async (both) => {
      if (isByKey) await renewTitle(room, { guildId, watch, client, signal: both });
      return poll(client, { ...options, signal: both });
    },
    { timeoutMs: pollTimeoutMs, clock: room.clock, signal },
  );
}

/** From when on published comments are new. A watch that is not about them shows those since its link ended. */
function readSince(watch: Watch, { newestAt = 0, troubles }: WatchProgress, isByKey: boolean) {
  const since = Math.max(newestAt, watch.addedAt);
  if (!isByKey || watch.states.includes("published")) return since;
  const ended = [troubles.link_missing, troubles.link_broken].map((one) => one?.since ?? 0);
  return Math.max(since, ...ended);
}

/** A stored title is forgotten after a month: docs/services/youtube.md#stored-data */
const titleMs = 14 * 24 * 3_600_000;

interface TitleRenewal extends ServerWatch {
  readonly client: VideoClient;
  readonly signal: AbortSignal;
}

/** Reads the title of a channel that is not linked, for one unit every two weeks. @throws what `call` throws */
async function renewTitle(
  { database, records }: ModerationRoom,
  { guildId, watch, client, signal }: TitleRenewal,
): Promise<void> {
  const at = database.now();
  if (at - (watch.titleReadAt ?? 0) < titleMs) return;
  const wanted = { part: ["snippet"], id: [watch.source] } as const;
  const { items } = await client.call("channels.list", wanted, { signal });
  const title = items[0]?.snippet?.title;
  await records.watches.change(guildId, watch.id, (stored) =>
    stored?.source === watch.source ? { ...stored, title, titleReadAt: at } : stored,
  );
}

interface PollFailure {
  readonly noticed: NoticedFailure;
  /** Units spent before it failed. */
  readonly units: number;
  readonly error?: unknown;
}

/** Saves a failed poll; returns when to try again. */
async function saveFailure(
  room: ModerationRoom,
  poll: WatchPoll,
  { noticed, units, error }: PollFailure,
): Promise<number> {
  const { database, random, records } = room;
  const { guildId, watch } = poll;
  const at = database.now();
  const retryAt = error instanceof LimitError ? (error.retryAt?.getTime() ?? 0) : 0;
  const until = noticed.until === undefined ? 0 : noticed.until + afterResetMs;
  const jitter = 0.9 + random() * 0.2;
  const stored = await records.watches.advanceProgress(guildId, poll, (before) => {
    const failedPolls = (before.failedPolls ?? 0) + 1;
    const pauseMs = retryDelayMs(noticed.code, failedPolls) * jitter;
    const nextPollAt = Math.max(at + pauseMs, retryAt, until);
    return { ...withSpentUnits(before, units, at), failedPolls, nextPollAt };
  });
  if (stored === undefined) return at;
  await noteFailure(room, { guildId, watch }, { ...noticed, times: stored.failedPolls ?? 1 });
  return stored.nextPollAt ?? at;
}

interface UnitCount {
  count: number;
}

interface PollEffect extends PollResult {
  readonly isSweep: boolean;
  readonly units: number;
  readonly at: number;
}

/** A watch's progress after a good poll. */
function progressAfter(
  progress: WatchProgress,
  { found, newestAt, isSweep, units, at }: PollEffect,
): WatchProgress {
  const { failedPolls: _, ...before } = withSpentUnits(progress, units, at);
  return {
    ...before,
    polledAt: at,
    idlePolls: found > 0 ? 0 : before.idlePolls + 1,
    ...(found > 0 && { foundAt: at }),
    ...(isSweep && { sweptAt: at }),
    ...(newestAt !== undefined && { newestAt }),
  };
}

function withSpentUnits(progress: WatchProgress, units: number, now: number): WatchProgress {
  if (units === 0) return progress;
  const day = pacificDate(now);
  const before = progress.spent?.day === day ? progress.spent.units : 0;
  return { ...progress, spent: { day, units: before + units } };
}
