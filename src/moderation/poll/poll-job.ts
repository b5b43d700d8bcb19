import { pacificDate } from "../../budget/index.ts";
import { withTimeout } from "../../clock.ts";
import { LimitError } from "../../errors.ts";
import type { VideoClient } from "../../video/index.ts";
import {
  classifyFailure,
  type NoticedFailure,
  retryDelayMs,
} from "../failures/classify-failure.ts";
import { endFailures, noteFailure, notePostFailure } from "../failures/note-failures.ts";
import type { WatchProgress, WatchWithProgress } from "../records/index.ts";
import type { ModerationRoom } from "../room.ts";
import { handleWatchJobs, pollQueue } from "../watch-jobs.ts";
import { createPoll, type Poll, type PollResult } from "./poll.ts";

const sweepEveryMs = 3_600_000;
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

/** Polls a watch once; the job is due again when the next poll is. */
export function handlePollQueue(room: ModerationRoom): void {
  const poll = createPoll(room);
  handleWatchJobs(room, pollQueue, async ({ guildId, watchId, signal }) => {
    const known = await room.records.watches.readWithProgress(guildId, watchId);
    // `resume` starts the job again.
    if (known === undefined || known.watch.paused !== undefined) return undefined;
    return pollWatch(room, { ...known, guildId, signal, poll });
  });
}

async function pollWatch(room: ModerationRoom, at: WatchPoll): Promise<number | undefined> {
  const { log, onPoll, pace, random } = room;
  const { now } = room.database;
  const { guildId, watch, progress, signal } = at;
  const units = { count: 0 };
  try {
    const turnOf = await pace.turnOf(guildId, watch);
    const { goneUntil, spareUnits } = turnOf(progress);
    if (goneUntil !== undefined) {
      onPoll?.("units_gone");
      const noticed = { code: "units_gone", until: goneUntil } as const;
      return await saveFailure(room, at, { noticed, units: 0 });
    }
    const isSweep = now() - (progress.sweptAt ?? 0) >= sweepEveryMs && spareUnits >= sweepUnits;
    const polled = await runPoll(room, at, { isSweep, spareUnits, units });
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
    await endFailures(room, at, { troubles: stored.troubles, by: "poll" }).catch((error: unknown) =>
      notePostFailure(room, at, error),
    );
    return nextPollAt;
  } catch (error) {
    const noticed = classifyFailure(error);
    if (signal.aborted || noticed === undefined) throw error;
    log.warn("a watch was not polled", { guild: guildId, watch: watch.id, error });
    onPoll?.(error instanceof Error && "code" in error ? String(error.code) : "error");
    return saveFailure(room, at, { noticed, units: units.count, error });
  }
}

interface PollSpending {
  readonly isSweep: boolean;
  readonly spareUnits: number;
  readonly units: UnitCount;
}

/** Undefined if the watch was removed or now watches another channel. */
async function runPoll(
  room: ModerationRoom,
  { guildId, watch, progress, signal, poll }: WatchPoll,
  { isSweep, spareUnits, units }: PollSpending,
): Promise<PollResult | undefined> {
  const video = await room.video(guildId, watch.source);
  const client: VideoClient = {
    // Each list call costs one unit.
    call: (...args) => {
      units.count += 1;
      return video.call(...args);
    },
    pages: video.pages,
  };
  const most = isSweep ? spareUnits / 4 : Math.min(spareUnits / 20, 10);
  const options = { guildId, watch, progress, isSweep, spareUnits: most };
  return withTimeout((both) => poll(client, { ...options, signal: both }), {
    timeoutMs: pollTimeoutMs,
    clock: room.clock,
    signal,
  });
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
